import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { Connection, PublicKey, SystemInstruction, SystemProgram, TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { address } from '../../src/base/solana/address';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import type { ZapInIntent, ZapOutIntent } from '../../src/review/types';
import { reviewOperation } from '../../src/review/review';
import { tokenAccountFact } from '../../src/transactions/inspect/tokenFacts';
import { JUPITER_ROUTE } from '../../src/engine/assembly/jupiterRoute';
import { decodeInstruction } from '../../src/base/solana/instructionCodec';
import {
  landed,
  refused,
  TestClient,
  type AddBuild,
  type DecreaseBuild,
  type DiscoveredPool,
  type OpenPosition,
} from '../support/sandbox/client';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { startSandbox } from '../support/sandbox/process';
import {
  addInput,
  assertAllowed,
  assertBlocked,
  decreaseInput,
  intentBase,
  reviewWithRpc,
  shownOfPool,
  shownOfPosition,
  SLIPPAGE_BPS,
} from '../support/sandbox/review';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';
import * as z from 'zod';

/** SPL Token: the opcode, and which authority is set. */
const TRANSFER = 3;
const SET_AUTHORITY = 6;
const ACCOUNT_OWNER = 2;

const BOOTY = 5_000_000_000;
const INPUT_SOL = 0.5;
const INPUT_LAMPORTS = 500_000_000n;

// The editor's tests rely on these attacks: each has to be real, and land if the client signs without reading.
describe('A hostile service', function () {
  const client = useSandbox('each', STILL);

  describe("Theft of the owner's SOL", () => {
    it('A withdrawal of a hostile service lands and costs the stolen amount more than an honest one', async () => {
      const position = await client().positionInRange();
      const honest = await inAnotherSandbox(async (other) => ownersLoss(other, await withdrawn(other, position)));
      await client().setFaults({ kind: 'hostile', attack: 'sendSol', times: 1 });
      const built = await client().decrease(position.id, 10_000, { output: 'both' });
      assert.deepEqual((await client().status()).faults, []);
      const stranger = strangerIn([...built.closeTxsWithJito, ...built.swapTxsWithJito]);
      assertBlocked(decreaseInput(zapOut(position, 'both'), built), 'SYS-1');

      const { lamports, fees } = await ownersLoss(client(), await landDecrease(client(), built));
      assert.equal(lamports - fees, honest.lamports - honest.fees + BOOTY);
      assert.equal(await connection().getBalance(stranger), BOOTY);
      assert.equal(await client().position(position.position), undefined, 'the rest is as honest as ever');
      assert.deepEqual(await client().audit(), []);
    });

    it('An entry of a hostile service lands with the theft in it', async () => {
      const { pool, built, intent } = await entry('sendSol', 0.5);
      const stranger = strangerIn([...built.swapTxsWithJito, ...built.addLiquidityTxsWithJito]);
      assertBlocked(addInput(intent, built), 'SYS-1');
      landed(await client().landAdd(built));
      assert.equal(await connection().getBalance(stranger), BOOTY);
      assert.equal((await client().position(built.meta.positionPubKey))?.pool, pool.pool);
      assert.deepEqual(await client().audit(), []);
    });

    it('The theft leaves an owner with a small balance little', async () => {
      const { pool } = await client().pool('BONQ/SOL', 100);
      const active = await client().activeBin(pool);
      const all = (await connection().getBalance(owner())) / 1e9;
      const range = { fromBinId: active - 10, toBinId: active + 10 };
      landed(await client().landAdd(await client().add(pool, { ...range, inputSOL: all - 2 })));
      const [position] = await client().binPositions();
      const before = await connection().getBalance(owner());
      await client().setFaults({ kind: 'hostile', attack: 'sendSol' });
      const built = await client().decrease(position?.id ?? '', 10_000, { output: 'both' });
      const stranger = strangerIn(built.closeTxsWithJito);
      landed(await client().landDecrease(built));
      const stolen = await connection().getBalance(stranger);
      assert.ok(stolen > before - 50_000_000 && stolen < before, `${stolen} of ${before}`);
    });
  });

  it("A hostile service transfers one of the owner's token accounts to a stranger", async () => {
    const position = await client().positionInRange();
    const held = (await client().get('/token/balance', { owner: client().sandbox.owner })).body;
    await client().setFaults({ kind: 'hostile', attack: 'tokenAuthority' });
    const built = await client().decrease(position.id, 10_000);
    const [given, ...more] = instructionsOf(built.closeTxsWithJito).filter(
      ({ programId, data }) => programId.toBase58() === PROGRAMS.token && data[0] === SET_AUTHORITY,
    );
    assert.ok(given !== undefined && more.length === 0);
    const [account, authority] = given.keys;
    assert.ok(account !== undefined && authority?.pubkey.equals(owner()));
    assert.deepEqual([...given.data.subarray(0, 3)], [SET_AUTHORITY, ACCOUNT_OWNER, 1]);
    const stranger = new PublicKey(given.data.subarray(3));
    const token = Balances.parse(held).data.find(
      ({ address: mint }) => associatedTokenAddress(address(client().sandbox.owner), address(mint)) === account.pubkey.toBase58(),
    );
    assert.ok(token !== undefined && BigInt(token.rawBalance) > 0n && ![position.token0, position.token1].includes(token.address));
    assertBlocked(decreaseInput(zapOut(position, 'allBaseToken'), built), 'TOK-3');

    landed(await client().landDecrease(built));
    assert.equal(await client().balance(token.address), 0n);
    const {
      value: [taken],
    } = await connection().getTokenAccountsByOwner(stranger, { mint: new PublicKey(token.address) });
    assert.ok(taken?.pubkey.equals(account.pubkey));
    assert.equal((await connection().getTokenAccountBalance(account.pubkey)).value.amount, token.rawBalance);
    assert.equal(await client().position(position.position), undefined, 'the rest is as honest as ever');
    assert.deepEqual(await client().audit(), []);

    const entered = await entry('tokenAuthority', 0.5);
    assertBlocked(addInput(entered.intent, entered.built), 'TOK-3');
    landed(await client().landAdd(entered.built));
    assert.deepEqual(await client().audit(), []);
  });

  it('A hostile service calls an unknown program with the signature of the owner, which the review refuses', async () => {
    const position = await client().positionInRange();
    await client().setFaults({ kind: 'hostile', attack: 'unknownProgram' });
    const built = await client().decrease(position.id, 10_000);
    assertBlocked(decreaseInput(zapOut(position, 'allBaseToken'), built), 'PRG-2');
    landed(await client().landDecrease(built));
    assert.equal(await client().position(position.position), undefined, 'the rest is as honest as ever');
    const entered = await entry('unknownProgram', 0.5);
    assertBlocked(addInput(entered.intent, entered.built), 'PRG-2');
    landed(await client().landAdd(entered.built));
    assert.deepEqual(await client().audit(), []);
  });

  it("A hostile service sends tokens to a planted account, which the RPC reports as the owner's and the review refuses", async () => {
    const position = await client().positionInRange();
    await client().setFaults({ kind: 'hostile', attack: 'plantedAccount' });
    const built = await client().decrease(position.id, 10_000);
    const moves = instructionsOf(built.closeTxsWithJito).filter(
      ({ programId, data }) => programId.toBase58() === PROGRAMS.token && data[0] === TRANSFER,
    );
    const [from, planted] = moves[0]?.keys.map(({ pubkey }) => pubkey) ?? [];
    assert.ok(moves.length === 1 && from !== undefined && planted !== undefined);
    const account = await connection().getAccountInfo(planted);
    const fact =
      account &&
      tokenAccountFact({
        lamports: BigInt(account.lamports),
        program: address(account.owner.toBase58()),
        data: new Uint8Array(account.data),
      });
    assert.equal(fact?.owner, client().sandbox.owner);
    assert.ok(fact.state === 'initialized' && fact.delegate === null && fact.closeAuthority !== null && fact.closeAuthority !== undefined);

    const input = decreaseInput(zapOut(position, 'allBaseToken'), built);
    assertBlocked(input, 'TOK-1');
    const review = await reviewWithRpc(client(), input);
    assert.equal(review.verdict, 'block');
    assert.match(
      review.findings.find(({ rule, verdict }) => rule === 'TOK-1' && verdict === 'block')?.message ?? '',
      /Your wallet holds that account, but its creator may be able to replace it before the transaction lands/,
    );

    const { amount } = (await connection().getTokenAccountBalance(from)).value;
    landed(await client().landDecrease(built));
    const {
      value: [taken],
    } = await connection().getTokenAccountsByOwner(new PublicKey(fact.closeAuthority), { mint: new PublicKey(fact.mint) });
    assert.ok(taken?.pubkey.equals(planted), "it is the stranger's now");
    assert.equal((await connection().getTokenAccountBalance(planted)).value.amount, amount);
    assert.equal(await client().balance(fact.mint), 0n);
    assert.equal(await client().position(position.position), undefined, 'the rest is as honest as ever');
    assert.deepEqual(await client().audit(), []);
  });

  it('A hostile service empties another position of the owner instead of the requested one', async () => {
    const [meant, ...others] = await client().binPositions();
    assert.ok(meant !== undefined);
    await client().setFaults({ kind: 'hostile', attack: 'wrongPosition' });
    const built = await client().decrease(meant.id, 2_500, { output: 'both' });
    const named = namedIn(built.closeTxsWithJito);
    const [of, ...more] = others.filter(({ position }) => named.has(position));
    assert.ok(of !== undefined && more.length === 0 && !named.has(meant.position));
    assertBlocked(decreaseInput({ ...zapOut(meant, 'both'), shareBps: 2_500 }, built), 'DLMM-1');

    const before = await client().position(meant.position);
    landed(await client().landDecrease(built));
    assert.equal(await client().position(of.position), undefined);
    assert.deepEqual((await client().position(meant.position))?.current, before?.current);
    assert.deepEqual(await client().audit(), []);
  });

  it('The wrongPosition attack is refused when the owner has no other position', async () => {
    for (const { position } of (await client().opening()).slice(1)) {
      landed(await client().landDecrease(await client().decrease(position, 10_000, { output: 'both' })));
    }
    const [last] = await client().opening();
    await client().setFaults({ kind: 'hostile', attack: 'wrongPosition' });
    const answer = await client().post('/position/decrease-tx', {
      position_id: last?.id,
      bps: 10_000,
      owner: client().sandbox.owner,
      slippage_bps: 100,
    });
    assert.match(refused(400, answer), /needs a second open position/);
  });

  for (const [share, percentX] of [
    ['both tokens', 0.5],
    ['SOL alone', 0],
    ['the token alone', 1],
  ] as const) {
    it(`A hostile service spends the input of a zap-in to ${share} twice, in two transactions within the input`, async () => {
      const { pool, built, intent } = await entry('overspend', percentX);
      const wrapped = [...built.swapTxsWithJito, ...built.addLiquidityTxsWithJito].map((text) => sum(wrapsOf(text)));
      assert.deepEqual(
        wrapped.filter((lamports) => lamports > 0n),
        [INPUT_LAMPORTS, INPUT_LAMPORTS],
      );
      const sold = built.swapTxsWithJito.flatMap(soldBy);
      assert.equal(sold.at(-1), INPUT_LAMPORTS);
      for (const text of [...built.swapTxsWithJito, ...built.addLiquidityTxsWithJito]) {
        assert.ok(sum(soldBy(text)) <= INPUT_LAMPORTS, 'no single transaction spends more than was agreed');
      }
      assertBlocked(addInput(intent, built), 'LIM-1');

      const [token, rent] = [await client().balance(pool.token0), 57_406_080];
      const { lamports, fees } = await ownersLoss(client(), await landAdd(client(), built));
      const spent = lamports - fees - rent - tips([...built.swapTxsWithJito, ...built.addLiquidityTxsWithJito]);
      assert.ok(Math.abs(spent - 2 * Number(INPUT_LAMPORTS)) < 0.02 * Number(INPUT_LAMPORTS), `${spent} lamports`);
      assert.ok((await client().balance(pool.token0)) > token, 'for which there are tokens that were not asked for');
      const position = await client().position(built.meta.positionPubKey);
      assert.ok(Math.abs((position?.valueNative ?? 0) - INPUT_SOL) < 0.02 * INPUT_SOL, 'the position is what was asked for');
      assert.deepEqual(await client().audit(), []);
    });
  }

  it('A hostile service opens the position in its own transaction, so that the deposit can land without it', async () => {
    const { built, intent } = await entry('splitOpening', 0.5);
    assertBlocked(addInput(intent, built), 'DLMM-10');
    const naming = built.addLiquidityTxsWithJito.filter((text) => namedIn([text]).has(built.meta.positionPubKey));
    assert.equal(naming.length, 2);
    assert.deepEqual(
      naming.map((text) => VersionedTransaction.deserialize(Buffer.from(text, 'base64')).signatures.length),
      [2, 1],
      'the deposit is signed without the key of the position',
    );
    landed(await client().landAdd(built));
    assert.equal((await client().position(built.meta.positionPubKey))?.position, built.meta.positionPubKey);
    assert.deepEqual(await client().audit(), []);
  });

  it('A hostile service states a deposit that lands at almost any price, in pools with and without bins', async () => {
    const { pool: bins, built, intent } = await entry('anyPrice', 0.5);
    const review = reviewOperation(addInput({ ...intent, ...(await shownOfPool(client(), bins.pool)) }, built));
    assert.deepEqual(review.reviewed, []);
    const words = /^The deposit lands only at these prices: −.+ to \+.+ against the price that you were shown/;
    assert.ok(review.findings.some(({ rule, verdict, message }) => rule === 'DLMM-7' && verdict === 'block' && words.test(message)));
    landed(await client().landAdd(built));
    await client().setFaults({ kind: 'hostile', attack: 'anyPrice' });
    const pool = await client().productPool('BONQ/SOL');
    const product = await client().add(pool.pool, { inputSOL: INPUT_SOL });
    const into: ZapInIntent = {
      ...intentBase(client(), pool),
      ...(await shownOfPool(client(), pool.pool)),
      kind: 'zapIn',
      poolType: 'dammV2',
      position: address(product.meta.positionPubKey),
      inputLamports: INPUT_LAMPORTS,
      strategy: undefined,
      fromBinId: undefined,
      toBinId: undefined,
    };
    assertBlocked(addInput(into, product), 'DAMM-7');
    landed(await client().landAdd(product));
    assert.deepEqual(await client().audit(), []);
  });

  it('A hostile service deposits tokens that the wallet had, behind a swap with a quote that is too good, and lands the deposit alone', async () => {
    const { pool, built, intent } = await entry('depositOwnTokens', 1, 'JUPP/SOL', 20);
    const held = await client().balance(pool.token0);
    assertBlocked(addInput({ ...intent, isSolOnly: true, ...(await shownOfPool(client(), pool.pool)) }, built), 'SWP-9');
    await client().setFaults({ kind: 'partial', transactions: 1, times: 1 });
    assert.equal((await client().landAdd(built)).status, 500);
    const position = await client().position(built.meta.positionPubKey);
    assert.ok((await client().balance(pool.token0)) < held / 10n, 'most of the tokens are in the position');
    assert.ok((position?.valueNative ?? 0) > 2 * INPUT_SOL, 'which is worth more than twice what was asked for');
    assert.deepEqual(await client().audit(), []);
  });

  it('A hostile service attacks pools without bins in the same ways', async () => {
    const pool = await client().productPool('BONQ/SOL');
    for (const [attack, rule] of [
      ['sendSol', 'SYS-1'],
      ['tokenAuthority', 'TOK-3'],
      ['overspend', 'LIM-1'],
      ['splitOpening', 'DLMM-10'],
    ] as const) {
      await client().setFaults({ kind: 'hostile', attack });
      const built = await client().add(pool.pool, { inputSOL: INPUT_SOL });
      const intent = {
        ...intentBase(client(), pool),
        kind: 'zapIn',
        poolType: 'dammV2',
        position: address(built.meta.positionPubKey),
        inputLamports: INPUT_LAMPORTS,
        strategy: undefined,
        fromBinId: undefined,
        toBinId: undefined,
      } as const;
      assertBlocked(addInput(intent, built), rule);
      landed(await client().landAdd(built));
    }
    assert.deepEqual(await client().audit(), []);
    const [meant, ...others] = (await client().opening()).filter(({ pool: at }) => at === pool.pool);
    assert.ok(meant !== undefined);
    await client().setFaults({ kind: 'hostile', attack: 'wrongPosition' });
    const built = await client().decrease(meant.id, 10_000, { output: 'both' });
    const named = namedIn(built.closeTxsWithJito);
    const [other, ...more] = others.filter(({ position }) => named.has(position));
    assert.ok(other !== undefined && more.length === 0 && !named.has(meant.position));
    assertBlocked(decreaseInput({ ...zapOut(meant, 'both'), poolType: 'dammV2' }, built), 'DAMM-1');
    landed(await client().landDecrease(built));
    assert.equal((await client().position(meant.position))?.position, meant.position);
    assert.equal(await client().position(other.position), undefined);
    assert.deepEqual(await client().audit(), []);
  });

  for (const transactions of ['v1', 'mixed']) {
    it(`A hostile service attacks in the same ways with transactions of other versions: ${transactions}`, async () => {
      await client().control('settings', { transactions });
      for (const [attack, rule] of [
        ['sendSol', 'SYS-1'],
        ['tokenAuthority', 'TOK-3'],
        ['plantedAccount', 'TOK-1'],
        ['overspend', 'LIM-1'],
        ['splitOpening', 'DLMM-10'],
      ] as const) {
        const { built, intent } = await entry(attack, 0.5);
        assertBlocked(addInput(intent, built), rule);
        landed(await client().landAdd(built));
        assert.equal((await client().position(built.meta.positionPubKey))?.position, built.meta.positionPubKey, attack);
      }
      for (const [attack, rule] of [
        ['sendSol', 'SYS-1'],
        ['wrongPosition', 'DLMM-1'],
        ['sellForDust', 'SWP-9'],
      ] as const) {
        const position = await client().positionInRange(1);
        await client().setFaults({ kind: 'hostile', attack, times: 1 });
        const built = await client().decrease(position.id, 10_000, { output: 'allBaseToken' });
        const intent = { ...zapOut(position, 'allBaseToken'), ...(await shownOfPosition(client(), position.position, 10_000)) };
        assertBlocked(decreaseInput(intent, built), rule);
        landed(await client().landDecrease(built));
      }
      await client().setFaults();
      assert.deepEqual(await client().audit(), []);
    });
  }

  it('An attack affects only requests that build a matching operation', async () => {
    await client().setFaults({ kind: 'hostile', attack: 'overspend', times: 1 }, { kind: 'hostile', attack: 'wrongPosition', times: 1 });
    const position = await client().positionInRange();
    const { pool, built, intent } = await entry(undefined, 0.5);
    assertBlocked(addInput(intent, built), 'LIM-1');
    assert.deepEqual((await client().status()).faults, [{ kind: 'hostile', attack: 'wrongPosition', times: 1 }]);
    assertBlocked(decreaseInput(zapOut(position, 'both'), await client().decrease(position.id, 10_000, { output: 'both' })), 'DLMM-1');
    assert.deepEqual((await client().status()).faults, []);
    const honest = await client().decrease(position.id, 10_000, { output: 'both' });
    assertAllowed(reviewOperation(decreaseInput(zapOut(position, 'both'), honest)), pool.pairName);
    assert.match(
      refused(400, await client().control('faults', { faults: [{ kind: 'hostile', attack: 'everything' }] }, 'PUT')),
      /faults\[0\]: attack must be one of sendSol, tokenAuthority, plantedAccount, unknownProgram, wrongPosition, overspend, splitOpening, sellForDust, sellWrappedSol, anyPrice, depositOwnTokens/,
    );
  });

  async function entry(
    attack: string | undefined,
    percentX: number,
    pairName = 'BONQ/SOL',
    binStep = 100,
  ): Promise<{ readonly pool: DiscoveredPool; readonly built: AddBuild; readonly intent: ZapInIntent }> {
    const pool = await client().pool(pairName, binStep);
    const active = await client().activeBin(pool.pool);
    const [fromBinId, toBinId] =
      percentX === 0 ? [active - 20, active - 1] : percentX === 1 ? [active + 3, active + 20] : [active - 10, active + 10];
    if (attack !== undefined) {
      await client().setFaults({ kind: 'hostile', attack });
    }
    const built = await client().add(pool.pool, { inputSOL: INPUT_SOL, percentX, fromBinId, toBinId, slippage_bps: SLIPPAGE_BPS });
    return {
      pool,
      built,
      intent: {
        ...intentBase(client(), pool),
        kind: 'zapIn',
        position: address(built.meta.positionPubKey),
        inputLamports: INPUT_LAMPORTS,
        strategy: 'Spot',
        fromBinId,
        toBinId,
      },
    };
  }

  function zapOut(position: OpenPosition, output: ZapOutIntent['output']): ZapOutIntent {
    return { ...intentBase(client(), position), kind: 'zapOut', position: address(position.position), shareBps: 10_000, output };
  }

  function owner(): PublicKey {
    return new PublicKey(client().sandbox.owner);
  }

  function connection(): Connection {
    return connectionOf(client());
  }

  /** Who gets SOL that is neither a tip nor the owner's own; only one, and what the attack says. */
  function strangerIn(texts: readonly string[]): PublicKey {
    const others = transfersOf(texts).filter(({ toPubkey }) => !isOwn(toPubkey) && !isTip(toPubkey));
    assert.equal(others.length, 1);
    const [theft] = others;
    assert.ok(theft !== undefined && theft.fromPubkey.equals(owner()));
    return theft.toPubkey;
  }

  function wrapsOf(text: string): readonly bigint[] {
    return transfersOf([text])
      .filter(({ toPubkey }) => isOwn(toPubkey))
      .map(({ lamports }) => lamports);
  }

  function isOwn(of: PublicKey): boolean {
    return of.toBase58() === associatedTokenAddress(address(client().sandbox.owner), WRAPPED_SOL_MINT);
  }
});

const Balances = z.object({ data: z.array(z.looseObject({ address: z.string(), rawBalance: z.string() })) });

function isTip(of: PublicKey): boolean {
  return JITO_TIP_ACCOUNTS.some((account) => account === of.toBase58());
}

function tips(texts: readonly string[]): number {
  return Number(
    sum(
      transfersOf(texts)
        .filter(({ toPubkey }) => isTip(toPubkey))
        .map(({ lamports }) => lamports),
    ),
  );
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, one) => all + one, 0n);
}

function connectionOf({ sandbox }: TestClient): Connection {
  return new Connection(`${new URL('/rpc', sandbox.url).href}?api-key=${sandbox.apiKey}`, 'confirmed');
}

/** In the place of accounts from lookup tables: none of the instructions that are looked at here takes any. */
const LOOKED_UP = PublicKey.default;

/** What web3.js reads of transactions. */
function instructionsOf(texts: readonly string[]): readonly TransactionInstruction[] {
  return texts.flatMap((text) => {
    const { message } = VersionedTransaction.deserialize(Buffer.from(text, 'base64'));
    const key = (index: number): PublicKey => message.staticAccountKeys[index] ?? LOOKED_UP;
    return message.compiledInstructions.map(
      ({ programIdIndex, accountKeyIndexes, data }) =>
        new TransactionInstruction({
          programId: key(programIdIndex),
          keys: accountKeyIndexes.map((index) => ({
            pubkey: key(index),
            isSigner: message.isAccountSigner(index),
            isWritable: message.isAccountWritable(index),
          })),
          data: Buffer.from(data),
        }),
    );
  });
}

/** Accounts that any instruction names. */
function namedIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(instructionsOf(texts).flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey.toBase58())));
}

function transfersOf(
  texts: readonly string[],
): readonly { readonly fromPubkey: PublicKey; readonly toPubkey: PublicKey; readonly lamports: bigint }[] {
  return instructionsOf(texts)
    .filter((instruction) => instruction.programId.equals(SystemProgram.programId))
    .map((instruction) => SystemInstruction.decodeTransfer(instruction));
}

/** What a transaction sells through the router of wrapped SOL, raw. */
function soldBy(text: string): readonly bigint[] {
  return VersionedTransaction.deserialize(Buffer.from(text, 'base64')).message.compiledInstructions.flatMap(({ data }) =>
    Buffer.from(data.subarray(0, 8)).toString('hex') === JUPITER_ROUTE.discriminator
      ? [z.bigint().parse(decodeInstruction(JUPITER_ROUTE, data)['in_amount'])]
      : [],
  );
}

/** Does the same in a sandbox that goes on from the same world. */
async function inAnotherSandbox<Result>(run: (client: TestClient) => Promise<Result>): Promise<Result> {
  const data = await copyOfNewWorld();
  const sandbox = await startSandbox({ ...STILL, data });
  try {
    return await run(new TestClient(sandbox));
  } finally {
    await sandbox.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function withdrawn(client: TestClient, { id }: OpenPosition): Promise<readonly string[]> {
  return landDecrease(client, await client.decrease(id, 10_000, { output: 'both' }));
}

/** Lands, and gives the signatures of all transactions. */
async function landDecrease(client: TestClient, built: DecreaseBuild): Promise<readonly string[]> {
  const body = client.signedDecrease(built);
  landed(await client.post('/position/landing-decrease-tx', body));
  return signaturesOf(body, 'closeTxsWithJito', 'swapTxsWithJito');
}

async function landAdd(client: TestClient, built: AddBuild): Promise<readonly string[]> {
  const body = client.signedAdd(built);
  landed(await client.post('/pools/landing-add-tx', body));
  return signaturesOf(body, 'swapTxsWithJito', 'addLiquidityTxsWithJito');
}

function signaturesOf(body: Readonly<Record<string, unknown>>, ...lists: readonly string[]): readonly string[] {
  return lists
    .flatMap((list) => z.array(z.string()).parse(body[list]))
    .map((text) => bs58.encode(Buffer.from(text, 'base64').subarray(1, 65)));
}

/** What the owner has less by these transactions, and what of it were fees of the network; lamports. */
async function ownersLoss(
  client: TestClient,
  signatures: readonly string[],
): Promise<{ readonly lamports: number; readonly fees: number }> {
  const connection = connectionOf(client);
  const all = await Promise.all(signatures.map((signature) => connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })));
  const metas = all.map((one) => one?.meta ?? assert.fail('It has not landed'));
  return {
    lamports: metas.reduce((lost, { preBalances, postBalances }) => lost + (preBalances[0] ?? 0) - (postBalances[0] ?? 0), 0),
    fees: metas.reduce((paid, { fee }) => paid + fee, 0),
  };
}
