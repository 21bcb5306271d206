import assert from 'node:assert/strict';
import {
  ADD_TX,
  CLOSE_TX,
  CONTRACT,
  failureOf,
  GP_MINT,
  OWNER,
  POOL,
  POSITION,
  SIGNATURE,
  SOL_MINT,
  success,
  SWAP_TX,
} from '../../support/service/given';
import { ScriptedService } from '../../support/service/scriptedService';

const decrease = { positionId: 'enc:rypted', bps: 2_500, owner: OWNER, slippageBps: 300, output: 'allBaseToken' } as const;
const place = { pool: POOL, owner: OWNER, strategy: 'BidAsk', fromBinId: -402, toBinId: -333, slippageBps: 500 } as const;
const zapIn = { ...place, mode: 'zap-in', inputSol: 0.5, percentX: 0.25 } as const;

describe('Transactions', () => {
  let service: ScriptedService;

  before(async () => {
    service = await ScriptedService.start();
  });

  after(async () => {
    await service.stop();
  });

  describe('Withdrawals', () => {
    it('Withdrawals are requested with the names that the service expects', async () => {
      service.willAnswer(success({ closeTxsWithJito: [CLOSE_TX], lastValidBlockHeight: 370 }));
      await service.client().buildDecrease(decrease);
      await service.client().buildDecrease({ ...decrease, output: 'both', poolType: 'dammV2' });
      await service.client().buildDecrease({ ...decrease, poolType: 'dlmm' });
      const body = { position_id: 'enc:rypted', bps: 2_500, owner: OWNER, slippage_bps: 300, output: 'allBaseToken' };
      assert.deepEqual(service.lines, Array(3).fill('POST /position/decrease-tx'));
      assert.equal(service.received[0]?.headers['content-type'], 'application/json');
      assert.deepEqual(
        service.received.map((request) => request.body),
        [body, { ...body, output: 'both', type: 'meteora_damm_v2' }, { ...body, type: 'meteora' }],
      );
    });

    for (const [name, data, close, swap, height] of [
      [
        'the interface',
        { closeTxsWithJito: [CLOSE_TX, ADD_TX], swapTxsWithJito: [SWAP_TX], lastValidBlockHeight: 370 },
        [CLOSE_TX, ADD_TX],
        [SWAP_TX],
        370,
      ],
      [
        'the published contract',
        { lastValidBlock: '371', closeTxs: [ADD_TX], swapTxs: [ADD_TX], closeTxsWithJito: [CLOSE_TX], swapTxsWithJito: [SWAP_TX] },
        [CLOSE_TX],
        [SWAP_TX],
        371,
      ],
      [
        'an answer with plain lists',
        { closeTxs: [CLOSE_TX], swapTxs: [SWAP_TX], lastValidBlockHeight: null, lastValidBlock: 372 },
        [CLOSE_TX],
        [SWAP_TX],
        372,
      ],
      [
        'an answer with empty lists with tips',
        { closeTxsWithJito: [], swapTxsWithJito: [], closeTxs: [CLOSE_TX], swapTxs: [SWAP_TX], lastValidBlockHeight: 373 },
        [CLOSE_TX],
        [SWAP_TX],
        373,
      ],
      [
        'an answer that swaps nothing',
        { closeTxsWithJito: [CLOSE_TX], swapTxsWithJito: [], swapTxs: [SWAP_TX], lastValidBlock: 374 },
        [CLOSE_TX],
        [],
        374,
      ],
      [
        'an answer whose lists are null',
        { closeTxsWithJito: [CLOSE_TX], swapTxsWithJito: null, swapTxs: null, lastValidBlockHeight: '375' },
        [CLOSE_TX],
        [],
        375,
      ],
    ] as const) {
      it(`Withdrawal transactions are read from ${name}`, async () => {
        service.willAnswer({ body: { data } });
        assert.deepEqual(await service.client().buildDecrease(decrease), {
          closeTransactions: close,
          swapTransactions: swap,
          lastValidBlockHeight: height,
        });
      });
    }

    for (const [name, data, field] of [
      ['not base64', { closeTxsWithJito: [CLOSE_TX, 'not base64!'] }, 'data.closeTxsWithJito[1]'],
      ['base64 of the other alphabet', { closeTxsWithJito: ['-_-_'] }, 'data.closeTxsWithJito[0]'],
      ['base64 that is not canonical', { closeTxsWithJito: [CLOSE_TX], swapTxsWithJito: ['AB=='] }, 'data.swapTxsWithJito[0]'],
      ['base64 with a line break', { closeTxs: [`${CLOSE_TX}\n`] }, 'data.closeTxs[0]'],
      ['empty', { closeTxsWithJito: [''] }, 'data.closeTxsWithJito[0]'],
      ['not a text', { closeTxsWithJito: [{ data: [1, 2] }] }, 'data.closeTxsWithJito[0]'],
      ['not in a list', { closeTxsWithJito: CLOSE_TX }, 'data.closeTxsWithJito'],
      ['with a height that is none', { closeTxsWithJito: [CLOSE_TX], lastValidBlockHeight: 'soon' }, 'data.lastValidBlockHeight'],
      ['with a height of zero', { closeTxsWithJito: [CLOSE_TX], lastValidBlockHeight: 0 }, 'data.lastValidBlockHeight'],
      ['without a height', { closeTxsWithJito: [CLOSE_TX] }, 'data.lastValidBlockHeight'],
      [
        'with null for a height',
        { closeTxsWithJito: [CLOSE_TX], lastValidBlockHeight: null, lastValidBlock: null },
        'data.lastValidBlockHeight',
      ],
      ['with half a height', { closeTxsWithJito: [CLOSE_TX], lastValidBlock: 1.5 }, 'data.lastValidBlock'],
      ['not there', { closeTxsWithJito: [], swapTxsWithJito: [], lastValidBlockHeight: 1 }, 'data.closeTxsWithJito'],
      ['not there but for a swap', { swapTxsWithJito: [SWAP_TX] }, 'data.closeTxsWithJito'],
      ['in no record', null, 'data'],
    ] as const) {
      it(`The answer is malformed if the withdrawal transactions are ${name}, and the error names endpoint and field`, async () => {
        service.willAnswer(success(data));
        const error = await failureOf(service.client().buildDecrease(decrease), 'malformed');
        assert.equal(error.field, field);
        assert.equal(error.endpoint, 'POST /position/decrease-tx');
        assert.equal(error.mayHaveLanded, false);
      });
    }

    it('The message explains that no withdrawal transaction was built', async () => {
      service.willAnswer(success({ closeTxsWithJito: [] }));
      const { message } = await failureOf(service.client().buildDecrease(decrease), 'malformed');
      assert.equal(message, 'The service built no transaction. Refresh, then try again.');
    });

    it('The message explains that transactions without a block height cannot be landed', async () => {
      service.willAnswer(success({ closeTxsWithJito: [CLOSE_TX], lastValidBlockHeight: null }));
      const { message } = await failureOf(service.client().buildDecrease(decrease), 'malformed');
      assert.equal(
        message,
        `The transactions in the answer to POST /position/decrease-tx cannot be landed: "data.lastValidBlockHeight" is missing.`,
      );
    });

    it('A refusal with status 200 is reported with the message of the service', async () => {
      service.willAnswer({ body: { data: { status: 'error', message: 'Insufficient balance' } } });
      const error = await failureOf(service.client().buildDecrease(decrease), 'rejected');
      assert.equal(error.serviceMessage, 'Insufficient balance');
      assert.match(error.message, /Insufficient balance/);
    });

    it('Withdrawal transactions are landed as bundles', async () => {
      service.willAnswer(success({ method: 'JITO', signature: SIGNATURE }));
      await service.client().landDecrease({ closeTransactions: [CLOSE_TX], swapTransactions: [SWAP_TX], lastValidBlockHeight: 370 });
      await service.client().landDecrease({ closeTransactions: [CLOSE_TX], swapTransactions: [], lastValidBlockHeight: 371 });
      assert.deepEqual(service.lines, Array(2).fill('POST /position/landing-decrease-tx'));
      assert.deepEqual(
        service.received.map(({ body }) => body),
        [
          { lastValidBlockHeight: 370, closeTxs: [], swapTxs: [], closeTxsWithJito: [CLOSE_TX], swapTxsWithJito: [SWAP_TX] },
          { lastValidBlockHeight: 371, closeTxs: [], swapTxs: [], closeTxsWithJito: [CLOSE_TX], swapTxsWithJito: [] },
        ],
      );
    });
  });

  describe('Deposits', () => {
    it('Deposits are requested with the names that the service expects', async () => {
      service.willAnswer(success({ addLiquidityTxsWithJito: [ADD_TX], lastValidBlockHeight: 370 }));
      await service.client().buildAdd(zapIn);
      await service.client().buildAdd({ ...place, mode: 'normal', amountX: 12.5, amountY: 0 });
      const body = { stratergy: 'BidAsk', owner: OWNER, fromBinId: -402, toBinId: -333, slippage_bps: 500 };
      assert.deepEqual(service.lines, Array(2).fill(`POST /pools/${POOL}/add-tx`));
      assert.deepEqual(
        service.received.map((request) => request.body),
        [
          { ...body, mode: 'zap-in', inputSOL: 0.5, percentX: 0.25 },
          { ...body, mode: 'normal', amountX: 12.5, amountY: 0 },
        ],
      );
    });

    it('Deposits to pools without bins are requested without a range, but with a strategy', async () => {
      service.willAnswer(success({ addLiquidityTxsWithJito: [ADD_TX], lastValidBlockHeight: 370 }));
      await service.client().buildAdd({ ...zapIn, strategy: undefined, fromBinId: undefined, toBinId: undefined });
      assert.deepEqual(
        service.received.map((request) => request.body),
        [{ stratergy: 'Spot', owner: OWNER, slippage_bps: 500, mode: 'zap-in', inputSOL: 0.5, percentX: 0.25 }],
      );
    });

    for (const [name, data, add, swap, position] of [
      [
        'the interface',
        { swapTxsWithJito: [SWAP_TX], addLiquidityTxsWithJito: [ADD_TX], lastValidBlockHeight: 370, meta: { positionPubKey: POSITION } },
        [ADD_TX],
        [SWAP_TX],
        POSITION,
      ],
      [
        'an answer with plain lists',
        { swapTxs: [SWAP_TX], addLiquidityTxs: [ADD_TX], lastValidBlockHeight: '370', meta: { positionPubKey: POSITION } },
        [ADD_TX],
        [SWAP_TX],
        POSITION,
      ],
      [
        'an answer with the position beside meta',
        { addLiquidityTxsWithJito: [ADD_TX], lastValidBlock: 370, positionPubKey: POSITION },
        [ADD_TX],
        [],
        POSITION,
      ],
      ['an answer with an empty meta', { addLiquidityTxsWithJito: [ADD_TX], lastValidBlockHeight: 370, meta: {} }, [ADD_TX], [], undefined],
    ] as const) {
      it(`Deposit transactions are read from ${name}`, async () => {
        service.willAnswer(success(data));
        assert.deepEqual(await service.client().buildAdd(zapIn), {
          swapTransactions: swap,
          addTransactions: add,
          lastValidBlockHeight: 370,
          meta: 'meta' in data ? data.meta : {},
          position,
        });
      });
    }

    for (const [name, data, field] of [
      ['not there', { addLiquidityTxsWithJito: [], swapTxsWithJito: [] }, 'data.addLiquidityTxsWithJito'],
      ['not there but for a swap', { addLiquidityTxsWithJito: [], swapTxsWithJito: [SWAP_TX] }, 'data.addLiquidityTxsWithJito'],
      ['without a height', { addLiquidityTxsWithJito: [ADD_TX] }, 'data.lastValidBlockHeight'],
      ['with null for a height', { addLiquidityTxsWithJito: [ADD_TX], lastValidBlockHeight: null }, 'data.lastValidBlockHeight'],
      [
        'for a position that is none',
        { addLiquidityTxsWithJito: [ADD_TX], lastValidBlockHeight: 370, meta: { positionPubKey: 'new' } },
        'data.meta.positionPubKey',
      ],
      ['with a meta that is none', { addLiquidityTxsWithJito: [ADD_TX], meta: [1] }, 'data.meta'],
    ] as const) {
      it(`The answer is malformed if the deposit transactions are ${name}`, async () => {
        service.willAnswer(success(data));
        assert.equal((await failureOf(service.client().buildAdd(zapIn), 'malformed')).field, field);
      });
    }

    it('Deposit transactions are landed with their meta record unchanged', async () => {
      const meta = { positionPubKey: POSITION, solForX: '0.25', nested: { list: [1, null, 'x'], __proto__: null } };
      service.willAnswer(
        success({ addLiquidityTxsWithJito: [ADD_TX], swapTxsWithJito: [SWAP_TX], lastValidBlockHeight: 370, meta }),
        success({ signature: SIGNATURE }),
      );
      const client = service.client();
      await client.landAdd(await client.buildAdd(zapIn));
      assert.equal(service.lines[1], 'POST /pools/landing-add-tx');
      assert.deepEqual(service.received[1]?.body, {
        lastValidBlockHeight: 370,
        swapTxsWithJito: [SWAP_TX],
        addLiquidityTxsWithJito: [ADD_TX],
        meta: { positionPubKey: POSITION, solForX: '0.25', nested: { list: [1, null, 'x'] } },
      });
    });
  });

  it('A withdrawal quote has its prices, and the raw answer unchanged', async () => {
    service.willAnswer(success({ price: { token0: '3.8', token1: 170 }, outAmount: '5' }));
    assert.deepEqual(await service.client().decreaseQuote({ positionId: 'enc:rypted', bps: 5_000 }), {
      price0Usd: 3.8,
      price1Usd: 170,
      raw: { price: { token0: '3.8', token1: 170 }, outAmount: '5' },
    });
    assert.deepEqual(
      service.received.map(({ line, body }) => [line, body]),
      [['POST /open-api/v1/position/decrease-quotes', { id: 'enc:rypted', bps: 5_000 }]],
    );
  });

  describe('Swaps', () => {
    const swap = { kind: 'swap', owner: OWNER, inputMint: GP_MINT, outputMint: SOL_MINT, amountRaw: 12_661n, slippageBps: 300 } as const;
    const unwrap = { kind: 'unwrap', owner: OWNER } as const;
    const notFound = (message: string) => ({ status: 404, body: { status: 'error', message } });

    it('Swaps and unwrapping are requested, and landed, with the names that the service expects', async () => {
      service.willAnswer(success({ swapTxs: [ADD_TX], swapTxsWithJito: [SWAP_TX, CLOSE_TX], lastValidBlockHeight: 370 }));
      const client = service.client();
      const built = await client.buildSwap(swap);
      assert.deepEqual(built, { swapTransactions: [SWAP_TX, CLOSE_TX], lastValidBlockHeight: 370 });
      await client.buildSwap(unwrap);
      await client.landSwap(built);
      assert.deepEqual(service.lines, ['POST /token/swap-tx', 'POST /token/swap-tx', 'POST /token/landing-swap-tx']);
      assert.deepEqual(
        service.received.map(({ body }) => body),
        [
          { owner: OWNER, inputMint: GP_MINT, outputMint: SOL_MINT, amount: '12661', slippage_bps: 300 },
          { owner: OWNER, unwrap: true },
          { lastValidBlockHeight: 370, swapTxsWithJito: [SWAP_TX, CLOSE_TX] },
        ],
      );
    });

    it('A service without swaps is said to offer none; one that finds no way to swap is quoted', async () => {
      service.willAnswer(notFound('Cannot POST /token/swap-tx'));
      for (const request of [swap, unwrap]) {
        const { message } = await failureOf(service.client().buildSwap(request), 'notFound');
        assert.match(message, /Use a Solana RPC or the sandbox/);
      }
      for (const words of [
        `There is no token ${GP_MINT}`,
        'There is no way to swap 12661 (raw) of GP to SOL: no pools take that much of it',
      ]) {
        service.willAnswer(notFound(words));
        assert.ok((await failureOf(service.client().buildSwap(swap), 'notFound')).message.includes(words));
      }
    });

    it('A swap of nothing, or of a token into itself, is not sent, and an answer without a transaction is refused', async () => {
      service.willAnswer(success({ swapTxsWithJito: [], lastValidBlockHeight: 370 }));
      const client = service.client();
      assert.equal((await failureOf(client.buildSwap({ ...swap, amountRaw: 0n }), 'invalidRequest')).field, 'amountRaw');
      assert.equal((await failureOf(client.buildSwap({ ...swap, outputMint: GP_MINT }), 'invalidRequest')).field, 'outputMint');
      assert.equal(
        (await failureOf(client.landSwap({ swapTransactions: [], lastValidBlockHeight: 1 }), 'invalidRequest')).field,
        'swapTransactions',
      );
      assert.deepEqual(service.lines, []);
      assert.equal((await failureOf(client.buildSwap(swap), 'malformed')).field, 'data.swapTxsWithJito');
    });
  });

  describe('Token balances', () => {
    it('Token balances are requested by owner, and by mints', async () => {
      service.willAnswer({ body: CONTRACT['GET /token/balance 200'] });
      await service.client().tokenBalances({ owner: OWNER });
      await service.client().tokenBalances({ owner: OWNER, mints: [SOL_MINT, GP_MINT] });
      assert.deepEqual(service.lines, [
        `GET /token/balance?owner=${OWNER}`,
        `GET /token/balance?owner=${OWNER}&ca=${SOL_MINT}%2C${GP_MINT}`,
      ]);
    });

    it('No token balances are requested for an empty list of mints', async () => {
      service.willAnswer({ body: CONTRACT['GET /token/balance 200'] });
      assert.deepEqual(await service.client().tokenBalances({ owner: OWNER, mints: [] }), { items: [], warnings: [] });
      assert.equal(service.received.length, 0);
    });

    it('Only balances of the requested mints are returned, also if the service sends more', async () => {
      service.willAnswer({ body: CONTRACT['GET /token/balance 200'] });
      assert.deepEqual((await service.client().tokenBalances({ owner: OWNER, mints: [GP_MINT] })).items, []);
    });

    for (const [name, item, expected] of [
      ['the published contract', CONTRACT['GET /token/balance 200'].data[0], [SOL_MINT, 'SOL', 9, 1_500_000_000n, '1.5', 100.5]],
      ['the interface', { address: SOL_MINT, uiAmount: '2.000000001' }, [SOL_MINT, undefined, 9, 2_000_000_001n, '2.000000001', undefined]],
      [
        'the interface, for a token of unknown decimals',
        { address: GP_MINT, uiAmount: '12.50', price: null },
        [GP_MINT, undefined, undefined, undefined, '12.5', undefined],
      ],
      [
        'a record without the raw amount',
        { tokenAddress: GP_MINT, balance: 0.1, decimals: 9 },
        [GP_MINT, undefined, 9, 100_000_000n, '0.1', undefined],
      ],
      [
        'a record with too many digits for a float',
        { tokenAddress: GP_MINT, balance: 6134.935664996853, decimals: 12 },
        [GP_MINT, undefined, 12, undefined, '6134.935664996853', undefined],
      ],
      [
        'a record with a tiny amount',
        { tokenAddress: GP_MINT, balance: 1e-9, decimals: 9 },
        [GP_MINT, undefined, 9, 1n, '0.000000001', undefined],
      ],
      [
        'a record with a raw amount beyond floats',
        { tokenAddress: GP_MINT, rawBalance: '18446744073709551615', decimals: 6, balance: 18446744073709.55 },
        [GP_MINT, undefined, 6, 18446744073709551615n, '18446744073709.551615', undefined],
      ],
      [
        'a record with a value instead of a price',
        { tokenAddress: GP_MINT, balance: 4, decimals: 0, balanceInUsd: 10 },
        [GP_MINT, undefined, 0, 4n, '4', 2.5],
      ],
      [
        'nothing of a token',
        { tokenAddress: GP_MINT, balance: 0, rawBalance: '0', decimals: 9, balanceInUsd: 0 },
        [GP_MINT, undefined, 9, 0n, '0', undefined],
      ],
      [
        'the native token by its name',
        { address: 'SOL', uiAmount: 1, symbol: 'SOL' },
        [SOL_MINT, 'SOL', 9, 1_000_000_000n, '1', undefined],
      ],
    ] as const) {
      it(`A token balance is read from ${name}`, async () => {
        service.willAnswer({ body: { data: [item] } });
        const { items, warnings } = await service.client().tokenBalances({ owner: OWNER });
        assert.deepEqual(warnings, []);
        assert.deepEqual(
          items.map(({ mint, symbol, decimals, amountRaw, amountText, priceUsd }) => [
            mint,
            symbol,
            decimals,
            amountRaw,
            amountText,
            priceUsd,
          ]),
          [expected],
        );
      });
    }

    it('What of the SOL is wrapped is read where the service reports it, and only of SOL', async () => {
      service.willAnswer(
        success([
          { address: SOL_MINT, uiAmount: '3', rawWrappedBalance: '1000000000' },
          { address: GP_MINT, uiAmount: '3', rawWrappedBalance: '1' },
        ]),
      );
      const { items } = await service.client().tokenBalances({ owner: OWNER });
      assert.deepEqual(
        items.map(({ wrappedLamports }) => wrappedLamports),
        [1_000_000_000n, undefined],
      );
    });

    it('Token balances without a mint or an amount are left out with a warning', async () => {
      service.willAnswer(
        success([
          { balance: 1 },
          { tokenAddress: GP_MINT },
          { tokenAddress: GP_MINT, balance: 'some' },
          { address: SOL_MINT, uiAmount: '1' },
        ]),
      );
      const { items, warnings } = await service.client().tokenBalances({ owner: OWNER });
      assert.deepEqual(
        items.map(({ mint }) => mint),
        [SOL_MINT],
      );
      assert.deepEqual(
        warnings.map(({ path, message }) => `${path}: ${message}`),
        [
          'data[0]: left out: nothing in it says which token it is',
          `data[1]: left out: it has no amount of ${GP_MINT}`,
          'data[2].balance: is not an amount',
          `data[2]: left out: it has no amount of ${GP_MINT}`,
        ],
      );
    });
  });
});
