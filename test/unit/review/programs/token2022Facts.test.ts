import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SystemProgram, type Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { mintDecimals, mintRisks, TOKEN_ACCOUNT_PREFIX_BYTES, tokenAccountFact } from '../../../../src/transactions/inspect/tokenFacts';
import type { MintRisk } from '../../../../src/review/facts/facts';
import type { Address } from '../../../../src/base/solana/address';
import { associatedTokenAddress } from '../../../../src/base/solana/pda';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { addressOf, key, keyOf, OWNER, OWNER_KEY, THIEF } from '../../../support/review/bundles';
import { describeOnPrograms } from '../../../support/programs';
import { ProgramVm, type Outcome } from '../../../support/review/programs/programVm';

// What is read of mints and token accounts of Token-2022, against accounts that the program itself wrote; and what the program does with them.

/** What is used of @solana/spl-token. */
interface SplToken {
  readonly ExtensionType: Readonly<Record<string, number>>;
  readonly AccountState: { readonly Frozen: number };
  getMintLen(extensions: readonly number[]): number;
  createInitializeMint2Instruction(
    mint: PublicKey,
    decimals: number,
    authority: PublicKey,
    freeze: PublicKey | null,
    program: PublicKey,
  ): TransactionInstruction;
  createInitializePermanentDelegateInstruction(mint: PublicKey, delegate: PublicKey, program: PublicKey): TransactionInstruction;
  createInitializeTransferHookInstruction(
    mint: PublicKey,
    authority: PublicKey,
    hook: PublicKey,
    program: PublicKey,
  ): TransactionInstruction;
  createInitializeDefaultAccountStateInstruction(mint: PublicKey, state: number, program: PublicKey): TransactionInstruction;
  createInitializeTransferFeeConfigInstruction(
    mint: PublicKey,
    authority: PublicKey,
    withdraw: PublicKey,
    bps: number,
    most: bigint,
    program: PublicKey,
  ): TransactionInstruction;
  createInitializePausableConfigInstruction(mint: PublicKey, authority: PublicKey, program: PublicKey): TransactionInstruction;
  createPauseInstruction(mint: PublicKey, authority: PublicKey, signers: readonly never[], program: PublicKey): TransactionInstruction;
  createInitializeNonTransferableMintInstruction(mint: PublicKey, program: PublicKey): TransactionInstruction;
  createAssociatedTokenAccountInstruction(
    payer: PublicKey,
    account: PublicKey,
    owner: PublicKey,
    mint: PublicKey,
    program: PublicKey,
  ): TransactionInstruction;
  createReallocateInstruction(
    account: PublicKey,
    payer: PublicKey,
    extensions: readonly number[],
    owner: PublicKey,
    signers: readonly never[],
    program: PublicKey,
  ): TransactionInstruction;
  createEnableRequiredMemoTransfersInstruction(
    account: PublicKey,
    owner: PublicKey,
    signers: readonly never[],
    program: PublicKey,
  ): TransactionInstruction;
  createEnableCpiGuardInstruction(
    account: PublicKey,
    owner: PublicKey,
    signers: readonly never[],
    program: PublicKey,
  ): TransactionInstruction;
  createMintToInstruction(
    mint: PublicKey,
    account: PublicKey,
    authority: PublicKey,
    amount: bigint,
    signers: readonly never[],
    program: PublicKey,
  ): TransactionInstruction;
  createTransferCheckedInstruction(
    from: PublicKey,
    mint: PublicKey,
    to: PublicKey,
    owner: PublicKey,
    amount: bigint,
    decimals: number,
    signers: readonly never[],
    program: PublicKey,
  ): TransactionInstruction;
}

const spl = createRequire(join(process.cwd(), 'package.json'))('@solana/spl-token') as SplToken;
const PROGRAM = key(PROGRAMS.token2022);
const MAKER_KEY = keyOf('mint maker');
const MAKER = key(addressOf('mint maker'));
const DECIMALS = 6;
const RENT = 10_000_000n;

const landed = ({ error, logs }: Outcome): void => assert.equal(error, undefined, logs.join('\n'));

function world(): ProgramVm {
  const vm = new ProgramVm();
  for (const wallet of [OWNER, THIEF, addressOf('mint maker')]) {
    vm.fund(wallet);
  }
  return vm;
}

/** Makes a mint with one extension, as its issuer would. */
function makeMint(
  vm: ProgramVm,
  name: string,
  extension: number,
  initialize: (mint: PublicKey) => TransactionInstruction,
  freeze: PublicKey | null = null,
): Address {
  const mintKey: Keypair = keyOf(name);
  const mint = mintKey.publicKey;
  const space = spl.getMintLen([extension]);
  const create = SystemProgram.createAccount({
    fromPubkey: MAKER,
    newAccountPubkey: mint,
    lamports: Number(RENT),
    space,
    programId: PROGRAM,
  });
  landed(
    vm.send([create, initialize(mint), spl.createInitializeMint2Instruction(mint, DECIMALS, MAKER, freeze, PROGRAM)], [MAKER_KEY, mintKey]),
  );
  return addressOf(name);
}

function makeAccount(vm: ProgramVm, wallet: Address, mint: Address): Address {
  const account = associatedTokenAddress(wallet, mint, PROGRAMS.token2022);
  landed(vm.send([spl.createAssociatedTokenAccountInstruction(MAKER, key(account), key(wallet), key(mint), PROGRAM)], [MAKER_KEY]));
  return account;
}

function risksIn(vm: ProgramVm, mint: Address): readonly MintRisk[] | undefined {
  const account = vm.account(mint);
  assert.ok(account !== undefined);
  assert.equal(mintDecimals(account), DECIMALS);
  return mintRisks(account);
}

describeOnPrograms('review: Token-2022 facts as the program writes them', function () {
  const { ExtensionType: type } = spl;
  const cases: readonly (readonly [string, number | undefined, (mint: PublicKey) => TransactionInstruction, readonly MintRisk[]])[] = [
    [
      'a permanent delegate',
      type['PermanentDelegate'],
      (mint) => spl.createInitializePermanentDelegateInstruction(mint, MAKER, PROGRAM),
      [{ kind: 'permanentDelegate' }],
    ],
    [
      'a transfer hook',
      type['TransferHook'],
      (mint) => spl.createInitializeTransferHookInstruction(mint, MAKER, MAKER, PROGRAM),
      [{ kind: 'transferHook' }],
    ],
    [
      'accounts that begin frozen',
      type['DefaultAccountState'],
      (mint) => spl.createInitializeDefaultAccountStateInstruction(mint, spl.AccountState.Frozen, PROGRAM),
      [{ kind: 'frozenByDefault' }],
    ],
    [
      'a transfer fee',
      type['TransferFeeConfig'],
      (mint) => spl.createInitializeTransferFeeConfigInstruction(mint, MAKER, MAKER, 725, 10n ** 12n, PROGRAM),
      [{ kind: 'transferFee', bps: 725 }],
    ],
    [
      'a pause authority',
      type['PausableConfig'],
      (mint) => spl.createInitializePausableConfigInstruction(mint, MAKER, PROGRAM),
      [{ kind: 'pausable' }],
    ],
    [
      'no transferability',
      type['NonTransferable'],
      (mint) => spl.createInitializeNonTransferableMintInstruction(mint, PROGRAM),
      [{ kind: 'nonTransferable' }],
    ],
  ];
  for (const [what, extension, initialize, risks] of cases) {
    it(`The reader recognizes a mint with ${what}`, () => {
      assert.ok(extension !== undefined);
      const vm = world();
      const mint = makeMint(vm, what, extension, initialize, extension === type['DefaultAccountState'] ? MAKER : null);
      assert.deepEqual(risksIn(vm, mint), risks);
    });
  }

  it('The reader recognizes a paused mint, whose transfers the program rejects', () => {
    const vm = world();
    const mint = makeMint(vm, 'pausable mint', type['PausableConfig'] ?? 0, (of) =>
      spl.createInitializePausableConfigInstruction(of, MAKER, PROGRAM),
    );
    const [from, to] = [makeAccount(vm, OWNER, mint), makeAccount(vm, THIEF, mint)];
    landed(vm.send([spl.createMintToInstruction(key(mint), key(from), MAKER, 100n, [], PROGRAM)], [MAKER_KEY]));
    landed(vm.send([spl.createPauseInstruction(key(mint), MAKER, [], PROGRAM)], [MAKER_KEY]));
    assert.deepEqual(risksIn(vm, mint), [{ kind: 'paused' }]);
    const { error } = vm.send(
      [spl.createTransferCheckedInstruction(key(from), key(mint), key(to), key(OWNER), 5n, DECIMALS, [], PROGRAM)],
      [OWNER_KEY],
    );
    assert.notEqual(error, undefined);
  });

  it('The reader recognizes required memos and accounts closed to program transfers, which the program enforces', () => {
    const vm = world();
    const mint = makeMint(vm, 'plain mint', type['MetadataPointer'] ?? 0, metadataPointer);
    const [own, other] = [makeAccount(vm, OWNER, mint), makeAccount(vm, THIEF, mint)];
    const limits = () => {
      const account = vm.account(own);
      assert.ok(account !== undefined && account.data.length <= TOKEN_ACCOUNT_PREFIX_BYTES);
      return tokenAccountFact(account)?.limits;
    };
    assert.equal(limits(), undefined);
    landed(
      vm.send(
        [
          spl.createReallocateInstruction(
            key(own),
            key(OWNER),
            [type['MemoTransfer'] ?? 0, type['CpiGuard'] ?? 0],
            key(OWNER),
            [],
            PROGRAM,
          ),
        ],
        [OWNER_KEY],
      ),
    );
    assert.equal(limits(), undefined);
    landed(vm.send([spl.createEnableRequiredMemoTransfersInstruction(key(own), key(OWNER), [], PROGRAM)], [OWNER_KEY]));
    assert.deepEqual(limits(), ['memoRequired']);
    landed(vm.send([spl.createEnableCpiGuardInstruction(key(own), key(OWNER), [], PROGRAM)], [OWNER_KEY]));
    assert.deepEqual(limits(), ['memoRequired', 'cpiGuard']);
    landed(vm.send([spl.createMintToInstruction(key(mint), key(other), MAKER, 100n, [], PROGRAM)], [MAKER_KEY]));
    const NO_MEMO = 36;
    assert.equal(
      vm.send(
        [spl.createTransferCheckedInstruction(key(other), key(mint), key(own), key(THIEF), 5n, DECIMALS, [], PROGRAM)],
        [keyOf('thief')],
      ).error,
      NO_MEMO,
    );
  });
});

/** Metadata pointer: opcode 39, sub-instruction 0, authority, address. */
function metadataPointer(mint: PublicKey): TransactionInstruction {
  const built = spl.createInitializePermanentDelegateInstruction(mint, MAKER, PROGRAM);
  built.data = Buffer.concat([Buffer.from([39, 0]), MAKER.toBuffer(), mint.toBuffer()]);
  return built;
}
