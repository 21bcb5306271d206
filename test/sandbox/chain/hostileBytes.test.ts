import assert from 'node:assert/strict';
import fc from 'fast-check';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { parseTransaction } from '../../../src/base/solana/wireTransaction';
import type { Chain } from '../../../src/sandbox/chain/types';
import { runs } from '../../support/runs';
import {
  closeTokenAccount,
  createTokenAccount,
  dlmm,
  lamportsInTable,
  newChain,
  noEffects,
  signed,
  syncNative,
  testKey,
  transfer,
  transferTokens,
  unsigned,
  type TestChain,
} from '../../support/sandbox/chain/common';

const OWNER = testKey(1);
const SOMEBODY = testKey(2).address;
const MINT = testKey(3).address;
const TIP = JITO_TIP_ACCOUNTS[0] ?? SOMEBODY;
const WRAPPED = associatedTokenAddress(OWNER.address, WRAPPED_SOL_MINT);
const TOKENS = associatedTokenAddress(OWNER.address, MINT);

/** The VM ends the process when it is shown malformed bytes: that these tests end at all is what they prove. */
describe('Chain: hostile bytes', function () {
  let opened: TestChain;
  let chain: Chain;
  let valid: Uint8Array[];

  before(() => {
    opened = newChain({ address: OWNER.address, lamports: 1_000n * LAMPORTS_PER_SOL });
    ({ chain } = opened);
    chain.createMint(MINT, 6, 1_000n, OWNER.address);
    chain.credit(OWNER.address, MINT, 1_000n);
    const { blockhash } = chain.latestBlockhash();
    const wrap = [
      createTokenAccount(OWNER.address, WRAPPED_SOL_MINT),
      transfer(OWNER.address, WRAPPED, LAMPORTS_PER_SOL),
      syncNative(WRAPPED),
    ];
    const bundles = [
      [
        ...wrap,
        dlmm(OWNER.address, [WRAPPED, TOKENS, SOMEBODY], new Uint8Array(200).fill(7)),
        closeTokenAccount(WRAPPED, OWNER.address),
        transfer(OWNER.address, TIP, 20_000n),
      ],
      [transferTokens(TOKENS, TOKENS, OWNER.address, 5n), transfer(OWNER.address, SOMEBODY, LAMPORTS_PER_SOL)],
    ];
    valid = bundles.flatMap((instructions) =>
      (['legacy', 0, 1] as const).map((version) => signed(unsigned(OWNER.address, blockhash, instructions, version), OWNER)),
    );
  });

  afterEach(() => {
    opened.unit.commit();
    assert.equal(lamportsInTable(opened.database) + chain.feesBurntLamports, chain.genesisLamports, 'lamports were made or lost');
  });

  it('Every truncated transaction is refused', () => {
    for (const bytes of valid) {
      for (let length = 0; length < bytes.length; length += 1) {
        assert.equal(chain.land([bytes.subarray(0, length)], noEffects).kind, 'failed');
      }
    }
  });

  it('Trailing bytes and transactions beyond the packet size are refused', () => {
    for (const bytes of valid) {
      assert.equal(chain.land([Uint8Array.of(...bytes, 0)], noEffects).kind, 'failed');
    }
    for (const [first, bytes] of [
      [1, 1_233],
      [0x81, 4_097],
    ] as const) {
      const result = chain.land([new Uint8Array(bytes).fill(first)], noEffects);
      assert.deepEqual(result, {
        kind: 'failed',
        transaction: 0,
        reason: `Transaction 1 is malformed: The transaction has ${bytes} bytes; the network takes at most ${bytes - 1}`,
      });
    }
  });

  it('Random bytes are refused without a crash', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_400 }), (bytes) => {
        assert.equal(chain.land([bytes], noEffects).kind, 'failed');
      }),
      { numRuns: runs(2_500) },
    );
  });

  it('Changed bytes never land without a new signature', () => {
    fc.assert(
      fc.property(fc.nat(), mutations, (which, changes) => {
        const original = valid[which % valid.length] ?? new Uint8Array();
        const bytes = mutated(original, changes);
        fc.pre(!Buffer.from(bytes).equals(original));
        assert.equal(chain.land([bytes], noEffects).kind, 'failed');
      }),
      { numRuns: runs(4_000) },
    );
  });

  it('Changed messages that their owner signed do not break the chain', () => {
    let seenByTheVm = 0;
    fc.assert(
      fc.property(fc.nat(), mutations, (which, changes) => {
        const bytes = resigned(mutated(valid[which % valid.length] ?? new Uint8Array(), changes));
        const result = bytes === undefined ? undefined : chain.land([bytes], noEffects);
        seenByTheVm += result?.kind === 'landed' || (result?.reason.includes('failed: ') ?? false) ? 1 : 0;
      }),
      { numRuns: runs(3_500) },
    );
    assert.ok(seenByTheVm > runs(1_000), `only ${seenByTheVm} of the changed messages came to the VM`);
  });

  it('Simulating changed unsigned messages does not break the chain', () => {
    const owned = (): unknown => structuredClone([OWNER.address, SOMEBODY, WRAPPED, TOKENS, TIP].map((of) => chain.account(of)));
    const before = owned();
    let executed = 0;
    fc.assert(
      fc.property(fc.nat(), mutations, (which, changes) => {
        const bytes = mutated(valid[which % valid.length] ?? new Uint8Array(), changes);
        const simulation = chain.simulate(bytes, { checkSignatures: false, replaceBlockhash: true, accounts: [OWNER.address] }, noEffects);
        executed += simulation.kind === 'succeeded' || simulation.logs.length > 0 ? 1 : 0;
      }),
      { numRuns: runs(10_000) },
    );
    assert.ok(executed > runs(3_000), `only ${executed} of the changed messages were executed`);
    assert.deepEqual(owned(), before);
  });
});

const mutations = fc.array(fc.record({ at: fc.nat(), to: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)) }), {
  minLength: 1,
  maxLength: 3,
});

function mutated(bytes: Uint8Array, changes: readonly { readonly at: number; readonly to: number }[]): Uint8Array {
  const copy = bytes.slice();
  for (const { at, to } of changes) {
    copy[at % copy.length] = to;
  }
  return copy;
}

/** The owner's new signature on what still has the shape of a transaction of the owner's. */
function resigned(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const { staticKeys, requiredSignatures } = parseTransaction(bytes);
    return staticKeys.slice(0, requiredSignatures).includes(OWNER.address) ? signed(bytes, OWNER) : undefined;
  } catch {
    return undefined;
  }
}
