import assert from 'node:assert/strict';
import { EngineError, type EngineErrorKind, type LandParameters } from '../../../../src/engine/engine';
import { JITO_TIP_ACCOUNTS } from '../../../../src/base/solana/programs';
import { parseTransaction } from '../../../../src/base/solana/wireTransaction';
import type { MarketPool } from '../../../../src/sandbox/market/types';
import { useWorld } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;
const DAY_MS = 86_400_000;

for (const format of ['service', 'mixed'] as const) {
  describe(`Landing of operations, transactions: ${format}`, function () {
    const test = useWorld();
    const pool = (): MarketPool => test.pool('BONQ-SOL-25');
    let position: string;

    before(() => {
      test.world.settings.change({ transactions: format });
      position = test.entered(pool(), 3n * SOL);
    });

    afterEach(() => assert.deepEqual(test.world.audit(), []));

    /** Everything about the owner that landing could change. */
    function state(): unknown {
      const { market, chain } = test.world;
      return {
        lamports: test.lamports(),
        tokens: market.tokens.map(({ mint }) => test.tokens(mint)),
        positions: market.positions.openOf(test.owner).map(({ address, eventCount }) => [address, eventCount]),
        pools: market.pools.map(({ vaults, liquidity, price }) => [vaults, liquidity, price]),
        burnt: chain.feesBurntLamports,
      };
    }

    function refused(kind: EngineErrorKind, words: RegExp, land: () => unknown): void {
      const before = state();
      assert.throws(land, (error) => error instanceof EngineError && error.kind === kind && words.test(error.message));
      assert.deepEqual(state(), before);
    }

    const land = (parameters: LandParameters): string => test.world.engine.land('decrease', parameters).signature;
    const tips = (): bigint => JITO_TIP_ACCOUNTS.reduce((sum, account) => sum + test.lamports(account), 0n);

    it('A whole operation lands, with or without a tip', () => {
      for (const [variant, tip] of [
        ['withJito', 200_000n],
        ['plain', 0n],
      ] as const) {
        const before = tips();
        const events = test.position(position).eventCount;
        test.landDecrease(test.decrease(position, 1_000), variant);
        assert.equal(tips() - before, tip);
        assert.ok(test.position(position).eventCount > events);
      }
    });

    it('An operation lands regardless of its division between the two lists', () => {
      const { first, second } = test.signedDecrease(test.decrease(position, 500));
      assert.ok(first.length > 0 && second.length > 0);
      land({ first: [...first, ...second], second: [] });
    });

    it('An operation lands once, and a repeated request returns the same signature', () => {
      const signed = test.signedDecrease(test.decrease(position, 1_000));
      const signature = land(signed);
      const after = state();
      assert.equal(land(signed), signature);
      assert.deepEqual(state(), after);
    });

    it('An operation lands in one variant, and the other returns the same signature without effect', () => {
      for (const [one, other] of [
        ['withJito', 'plain'],
        ['plain', 'withJito'],
      ] as const) {
        const built = test.decrease(position, 1_000);
        const signature = test.landDecrease(built, one);
        const after = state();
        assert.equal(test.landDecrease(built, other), signature);
        assert.deepEqual(state(), after);
      }
    });

    it('The landing of an unsigned bundle is refused, whether it landed before or not', () => {
      const built = test.decrease(position, 1_000);
      const unsigned = { first: built.closeTxsWithJito, second: built.swapTxsWithJito };
      refused('notLanded', /Signature 1 of transaction 1 is missing/, () => land(unsigned));
      test.landDecrease(built);
      refused('notLanded', /Signature 1 of transaction 1 is missing/, () => land(unsigned));
      refused('notLanded', /Signature 1 of transaction 1 is missing/, () => land({ first: built.closeTxs, second: built.swapTxs }));
    });

    it('A part of an operation does not land', () => {
      const { first, second } = test.signedDecrease(test.decrease(position, 1_000));
      refused('invalid', /was built as \d transactions, and only \d of them (?:is|are) given/, () => land({ first, second: [] }));
      refused('invalid', /was built as/, () => land({ first: [], second }));
      refused('invalid', /was built as/, () => land({ first, second: second.slice(0, -1) }));
    });

    it('Transactions that are out of order, repeated or mixed do not land', () => {
      const built = test.decrease(position, 1_000);
      const [jito, plain] = [test.signedDecrease(built), test.signedDecrease(built, 'plain')];
      const other = test.signedDecrease(test.decrease(position, 1_000));
      refused('invalid', /order/, () => land({ first: jito.second, second: jito.first }));
      refused('invalid', /twice/, () => land({ first: [...jito.first, ...jito.first], second: jito.second }));
      refused('invalid', /with a tip and some without/, () => land({ first: jito.first, second: plain.second }));
      refused('invalid', /different operations/, () => land({ first: jito.first, second: other.second }));
      refused('invalid', /built by decrease-tx/, () => test.world.engine.land('add', jito));
      refused('invalid', /no transaction/, () => land({ first: [], second: [] }));
    });

    it('Transactions that were not built here or were changed do not land', () => {
      const { first, second } = test.signedDecrease(test.decrease(position, 1_000));
      const [head = '', ...tail] = first;
      const bytes = Buffer.from(head, 'base64');
      const { messageOffset, messageEnd } = parseTransaction(new Uint8Array(bytes));
      for (const at of [messageOffset, messageOffset + 5, messageEnd - 1, messageEnd - 40]) {
        const altered = Buffer.from(bytes);
        altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
        refused('invalid', /not built by this service|malformed/, () => land({ first: [altered.toString('base64'), ...tail], second }));
      }
      refused('invalid', /malformed/, () => land({ first: [bytes.subarray(0, -3).toString('base64'), ...tail], second }));
      refused('invalid', /not base64/, () => land({ first: ['?', ...tail], second }));
    });

    it('An operation signed by another key does not land', () => {
      const built = test.decrease(position, 1_000);
      const forged = built.closeTxsWithJito.map((text, index) => {
        const bytes = Buffer.from(text, 'base64');
        const { signaturesOffset: at } = parseTransaction(new Uint8Array(bytes));
        Buffer.from(test.sign([built.closeTxs[index] ?? ''])[0] ?? '', 'base64').copy(bytes, at, at, at + 64);
        return bytes.toString('base64');
      });
      refused('notLanded', /Signature 1 of transaction 1 is wrong/, () =>
        land({ first: forged, second: test.sign(built.swapTxsWithJito) }),
      );
    });

    it('An operation does not land after its blockhash expires', () => {
      const signed = test.signedDecrease(test.decrease(position, 1_000));
      test.advance(90_000);
      refused('notLanded', /expired/, () => land(signed));
    });

    it('A second withdrawal of a closed position does not land', () => {
      const closing = test.entered(pool(), SOL);
      const [one, other] = [test.decrease(closing, 10_000), test.decrease(closing, 10_000)];
      test.landDecrease(one);
      refused('notLanded', /no open position/, () => land(test.signedDecrease(other)));
      assert.throws(
        () => test.decrease(closing, 10_000),
        (error) => error instanceof EngineError && error.kind === 'notFound',
      );
    });

    it('Operations survive a restart, landed or not', () => {
      const waiting = test.signedDecrease(test.decrease(position, 1_000));
      const landed = test.signedDecrease(test.decrease(position, 1_000));
      const signature = land(landed);
      const before = state();
      test.restart();
      assert.deepEqual(state(), before);
      assert.equal(land(landed), signature);
      assert.deepEqual(state(), before);
      land(waiting);
      assert.notDeepEqual(state(), before);
    });

    it('An operation is forgotten after a day', () => {
      const waiting = test.signedDecrease(test.decrease(position, 1_000));
      test.advance(DAY_MS + 3_600_000);
      test.restart();
      test.decrease(position, 1_000);
      refused('invalid', /not built by this service/, () => land(waiting));
    });
  });
}
