import assert from 'node:assert/strict';
import type { AccountState as TokenAccountState, ExtensionType as MintExtension } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import {
  mintDecimals,
  mintRisks,
  TOKEN_ACCOUNT_PREFIX_BYTES,
  tokenAccountAmount,
  tokenAccountFact,
} from '../../../../src/transactions/inspect/tokenFacts';
import type { MintRisk } from '../../../../src/review/facts/facts';
import { addressBytes, type Address } from '../../../../src/base/solana/address';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { MINT, OWNER, THIEF } from '../../../support/review/bundles';
import { splToken } from '../../../support/transactions/inspect/splToken';

const { ACCOUNT_SIZE, AccountLayout, AccountState, AccountType, ExtensionType, getExtensionTypes, getMintLen, MINT_SIZE, MintLayout } =
  splToken;

const account = (program: Address, data: Uint8Array) => ({ lamports: 1n, program, data });

/** A token account as the program writes it. */
function tokenAccount(
  part: { readonly state?: TokenAccountState; readonly delegateOption?: 0 | 1; readonly closeAuthorityOption?: 0 | 1 } = {},
): Uint8Array {
  const data = Buffer.alloc(ACCOUNT_SIZE);
  AccountLayout.encode(
    {
      mint: new PublicKey(MINT),
      owner: new PublicKey(OWNER),
      amount: 5n,
      delegateOption: part.delegateOption ?? 1,
      delegate: new PublicKey(THIEF),
      state: part.state ?? AccountState.Initialized,
      isNativeOption: 0,
      isNative: 0n,
      delegatedAmount: 0n,
      closeAuthorityOption: part.closeAuthorityOption ?? 0,
      closeAuthority: new PublicKey(OWNER),
    },
    data,
  );
  return new Uint8Array(data);
}

describe('inspection: token accounts', () => {
  const fact = { mint: MINT, owner: OWNER, state: 'initialized', delegate: THIEF, closeAuthority: null };

  it('The reader reads who owns and controls a token account in both token programs', () => {
    assert.deepEqual(tokenAccountFact(account(PROGRAMS.token, tokenAccount())), fact);
    assert.deepEqual(tokenAccountFact(account(PROGRAMS.token2022, tokenAccount())), fact);
    assert.deepEqual(tokenAccountFact(account(PROGRAMS.token, tokenAccount({ state: AccountState.Frozen }))), { ...fact, state: 'frozen' });
    assert.deepEqual(tokenAccountFact(account(PROGRAMS.token, tokenAccount({ delegateOption: 0 }))), { ...fact, delegate: null });
    assert.deepEqual(tokenAccountFact(account(PROGRAMS.token, tokenAccount({ closeAuthorityOption: 1 }))), {
      ...fact,
      closeAuthority: OWNER,
    });
  });

  it('The reader accepts token accounts with extensions only in Token-2022 and recognizes them by their first bytes', () => {
    const extended = Uint8Array.from([...tokenAccount(), AccountType.Account, 7, 0, 0, 0]);
    assert.deepEqual(tokenAccountFact(account(PROGRAMS.token2022, extended)), fact);
    assert.deepEqual(tokenAccountFact(account(PROGRAMS.token2022, extended.slice(0, TOKEN_ACCOUNT_PREFIX_BYTES))), fact);
    assert.equal(tokenAccountFact(account(PROGRAMS.token, extended)), undefined);
  });

  it('The reader recognizes Token-2022 limits on accounts: required memos and closed program transfers', () => {
    const extended = (...extensions: readonly (readonly [MintExtension, number])[]) =>
      tokenAccountFact(
        account(
          PROGRAMS.token2022,
          Uint8Array.from([...tokenAccount(), AccountType.Account, ...extensions.flatMap(([type, value]) => [type, 0, 1, 0, value])]),
        ),
      )?.limits;
    assert.deepEqual(extended([ExtensionType.MemoTransfer, 1]), ['memoRequired']);
    assert.deepEqual(extended([ExtensionType.CpiGuard, 1]), ['cpiGuard']);
    assert.deepEqual(extended([ExtensionType.TransferHookAccount, 0], [ExtensionType.CpiGuard, 1], [ExtensionType.MemoTransfer, 1]), [
      'memoRequired',
      'cpiGuard',
    ]);
    assert.equal(extended([ExtensionType.MemoTransfer, 0], [ExtensionType.CpiGuard, 0]), undefined);
  });

  it('The reader rejects accounts of another program, mints and uninitialized token accounts', () => {
    assert.equal(tokenAccountFact(account(PROGRAMS.system, tokenAccount())), undefined);
    assert.equal(tokenAccountFact(account(PROGRAMS.token2022, Uint8Array.from([...tokenAccount(), AccountType.Mint]))), undefined);
    assert.equal(tokenAccountFact(account(PROGRAMS.token, tokenAccount({ state: AccountState.Uninitialized }))), undefined);
    assert.equal(tokenAccountFact(account(PROGRAMS.token, new Uint8Array(MINT_SIZE))), undefined);
  });

  it('The reader reads the amount in a token account', () => {
    assert.equal(tokenAccountAmount(account(PROGRAMS.token, tokenAccount())), 5n);
    assert.equal(tokenAccountAmount(account(PROGRAMS.system, tokenAccount())), undefined);
    assert.equal(tokenAccountAmount(account(PROGRAMS.token, new Uint8Array(MINT_SIZE))), undefined);
  });

  it('The reader throws no error for any bytes', () => {
    const program = fc.constantFrom(PROGRAMS.token, PROGRAMS.token2022);
    fc.assert(
      fc.property(program, fc.uint8Array({ maxLength: 400 }), (owner, data) => {
        tokenAccountFact(account(owner, data));
        tokenAccountAmount(account(owner, data));
        mintRisks(account(owner, data));
      }),
    );
  });
});

const UNKNOWN: readonly MintRisk[] = [{ kind: 'unknown' }];

type Extensions = readonly (readonly [MintExtension, Uint8Array])[];

/** A mint of Token-2022 as the program writes it. */
function mint(extensions: Extensions, rest = 0): Uint8Array {
  const base = Buffer.alloc(MINT_SIZE);
  const none = {
    mintAuthorityOption: 0,
    mintAuthority: PublicKey.default,
    freezeAuthorityOption: 0,
    freezeAuthority: PublicKey.default,
  } as const;
  MintLayout.encode({ ...none, supply: 1n, decimals: 6, isInitialized: true }, base);
  if (extensions.length === 0) {
    return new Uint8Array(base);
  }
  const written = extensions.flatMap(([type, value]) => [type & 0xff, type >> 8, value.length & 0xff, value.length >> 8, ...value]);
  const padding = new Uint8Array(ACCOUNT_SIZE - MINT_SIZE);
  return Uint8Array.from([...base, ...padding, AccountType.Mint, ...written, ...new Uint8Array(rest)]);
}

const key = addressBytes(THIEF);
const noKey = new Uint8Array(32);

function transferFee(olderBps: number, newerBps: number): Uint8Array {
  const value = Buffer.alloc(108);
  value.writeUInt16LE(olderBps, 72 + 16);
  value.writeUInt16LE(newerBps, 90 + 16);
  return new Uint8Array(value);
}

const risksOf = (extensions: Extensions, rest = 0): readonly MintRisk[] | undefined =>
  mintRisks(account(PROGRAMS.token2022, mint(extensions, rest)));

describe('inspection: Token-2022 mints', () => {
  const cases: readonly (readonly [string, readonly [MintExtension, Uint8Array], readonly MintRisk[]])[] = [
    [
      'a transfer fee that rises, by the higher rate',
      [ExtensionType.TransferFeeConfig, transferFee(5, 700)],
      [{ kind: 'transferFee', bps: 700 }],
    ],
    [
      'a transfer fee that falls, by the higher rate',
      [ExtensionType.TransferFeeConfig, transferFee(700, 5)],
      [{ kind: 'transferFee', bps: 700 }],
    ],
    ['confidential transfers', [ExtensionType.ConfidentialTransferMint, new Uint8Array(65)], [{ kind: 'confidentialTransfer' }]],
    ['accounts that begin frozen', [ExtensionType.DefaultAccountState, Uint8Array.of(AccountState.Frozen)], [{ kind: 'frozenByDefault' }]],
    ['accounts that do not begin frozen', [ExtensionType.DefaultAccountState, Uint8Array.of(AccountState.Initialized)], []],
    ['no transferability', [ExtensionType.NonTransferable, new Uint8Array()], [{ kind: 'nonTransferable' }]],
    ['a permanent delegate', [ExtensionType.PermanentDelegate, key], [{ kind: 'permanentDelegate' }]],
    ['a revoked permanent delegate', [ExtensionType.PermanentDelegate, noKey], []],
    ['a transfer hook', [ExtensionType.TransferHook, Uint8Array.from([...noKey, ...key])], [{ kind: 'transferHook' }]],
    ['a transfer hook without a program', [ExtensionType.TransferHook, Uint8Array.from([...key, ...noKey])], []],
    ['a pause authority', [ExtensionType.PausableConfig, new Uint8Array(33)], [{ kind: 'pausable' }]],
    ['paused transfers', [ExtensionType.PausableConfig, Uint8Array.from([...noKey, 1])], [{ kind: 'paused' }]],
    ['scaled amounts', [ExtensionType.ScaledUiAmountConfig, new Uint8Array(56)], [{ kind: 'scaledAmount' }]],
    ['a metadata pointer', [ExtensionType.MetadataPointer, new Uint8Array(64)], []],
  ];
  for (const [what, extension, risks] of cases) {
    it(`The reader derives the risks of a mint with ${what}`, () => {
      assert.deepEqual(risksOf([extension]), risks);
      // Wherever it stands among others, and with room behind it.
      assert.deepEqual(
        risksOf([[ExtensionType.MetadataPointer, new Uint8Array(64)], extension, [ExtensionType.MintCloseAuthority, key]], 9),
        risks,
      );
    });
  }

  it('The mints in these tests have the format that the library reads', () => {
    const data = mint([
      [ExtensionType.TransferFeeConfig, transferFee(1, 2)],
      [ExtensionType.PermanentDelegate, key],
    ]);
    assert.deepEqual(getExtensionTypes(Buffer.from(data.slice(ACCOUNT_SIZE + 1))), [
      ExtensionType.TransferFeeConfig,
      ExtensionType.PermanentDelegate,
    ]);
    assert.equal(data.length, getMintLen([ExtensionType.TransferFeeConfig, ExtensionType.PermanentDelegate]));
  });

  it('The reader finds no risks in a mint without extensions and skips mints of the older program', () => {
    assert.deepEqual(risksOf([]), []);
    assert.equal(mintRisks(account(PROGRAMS.token, mint([]))), undefined);
    assert.deepEqual(mintRisks(account(PROGRAMS.token2022, tokenAccount())), UNKNOWN, 'it is no mint');
  });

  it('The reader reports unknown risks for a mint with an unknown extension', () => {
    for (const type of [2, 5, 7, 8, 11, 13, 15, 17, 27, 28, 40, 65_535]) {
      const data = mint([[ExtensionType.MetadataPointer, new Uint8Array(8)]]);
      new DataView(data.buffer).setUint16(ACCOUNT_SIZE + 1, type, true);
      assert.deepEqual(mintRisks(account(PROGRAMS.token2022, data)), UNKNOWN, `extension ${type}`);
    }
  });

  it('The reader reports unknown risks for a truncated mint', () => {
    const whole = mint([
      [ExtensionType.MetadataPointer, new Uint8Array(64)],
      [ExtensionType.PermanentDelegate, key],
    ]);
    assert.deepEqual(mintRisks(account(PROGRAMS.token2022, whole)), [{ kind: 'permanentDelegate' }]);
    for (let length = 171; length < whole.length; length += 1) {
      const risks = mintRisks(account(PROGRAMS.token2022, whole.slice(0, length)));
      // Exactly between two extensions nothing shows that there was more.
      assert.deepEqual(risks, length === 166 + 68 ? [] : UNKNOWN, `${length} bytes`);
    }
    assert.deepEqual(risksOf([[ExtensionType.PermanentDelegate, key.slice(1)]]), UNKNOWN);
    assert.deepEqual(risksOf([[ExtensionType.TransferFeeConfig, new Uint8Array(107)]]), UNKNOWN);
  });
});

describe('inspection: decimals of a mint', () => {
  it('The reader reads the decimals of mints in both token programs, with and without extensions', () => {
    const extended = mint([[ExtensionType.PermanentDelegate, key]], 4);
    assert.equal(mintDecimals(account(PROGRAMS.token, mint([]))), 6);
    assert.equal(mintDecimals(account(PROGRAMS.token2022, mint([]))), 6);
    assert.equal(mintDecimals(account(PROGRAMS.token2022, extended)), 6);
    // The older program has no extensions.
    assert.equal(mintDecimals(account(PROGRAMS.token, extended)), undefined);
  });

  it('The reader finds no decimals in accounts that are no initialized mint', () => {
    const unmade = mint([]);
    unmade[45] = 0;
    assert.equal(mintDecimals(account(PROGRAMS.token, unmade)), undefined);
    assert.equal(mintDecimals(account(PROGRAMS.system, mint([]))), undefined);
    assert.equal(mintDecimals(account(PROGRAMS.token, tokenAccount())), undefined);
    assert.equal(mintDecimals(account(PROGRAMS.token2022, tokenAccount())), undefined);
    assert.equal(mintDecimals(account(PROGRAMS.token, mint([]).slice(0, 81))), undefined);
    assert.equal(mintDecimals(account(PROGRAMS.token, new Uint8Array())), undefined);
  });
});
