import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import bs58 from 'bs58';
import { ComputeBudgetProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { DAMM_INSTRUCTIONS } from '../../../../src/base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../../../src/base/solana/generated/dlmmInstructions';
import { decodeInstruction, findInstruction, type InstructionLayout } from '../../../../src/base/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS } from '../../../../src/base/solana/jupiterInstructions';
import {
  ASSOCIATED_TOKEN_INSTRUCTIONS,
  COMPUTE_BUDGET_INSTRUCTIONS,
  SYSTEM_INSTRUCTIONS,
  TOKEN_INSTRUCTIONS,
} from '../../../../src/base/solana/nativeInstructions';
import { splToken } from '../../../support/base/solana/packages';

/** What is used of generateInstructionTable.mjs. */
interface Generator {
  readonly TABLES: readonly { readonly file: string }[];
  readonly instructionTableSource: (table: { readonly file: string }) => string;
}

const discriminatorOf = (name: string): string => createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16);
const keyAt = (index: number): PublicKey => new PublicKey(new Uint8Array(32).fill(index + 1));
const [A, B, C, D] = [0, 1, 2, 3].map(keyAt) as [PublicKey, PublicKey, PublicKey, PublicKey];

/** Names the layout that an instruction is read with, after checking data and accounts against it. */
function readAs(layouts: readonly InstructionLayout[], { data, keys }: TransactionInstruction): string {
  const layout = findInstruction(layouts, data);
  assert.ok(layout !== undefined);
  decodeInstruction(layout, data);
  layout.accounts.forEach(({ name, signer }, place) => assert.equal(keys[place]?.isSigner, signer === true, `${layout.name}: ${name}`));
  return layout.name;
}

describe('Instruction tables', () => {
  it("The tables of Meteora's programs equal what the generator makes of the published IDLs", async () => {
    const folder = join(process.cwd(), 'src', 'base', 'solana');
    const generator = (await import(pathToFileURL(join(folder, 'generateInstructionTable.mjs')).href)) as Generator;
    assert.deepEqual(generator.TABLES.map(({ file }) => file).sort(), readdirSync(join(folder, 'generated')).sort());
    for (const table of generator.TABLES) {
      assert.equal(readFileSync(join(folder, 'generated', table.file), 'utf8'), generator.instructionTableSource(table), table.file);
    }
  });

  it("Anchor's discriminators are the hashes of the names", () => {
    for (const { name, discriminator } of [...DLMM_INSTRUCTIONS, ...DAMM_INSTRUCTIONS, ...JUPITER_INSTRUCTIONS]) {
      assert.equal(discriminator, discriminatorOf(name), name);
    }
  });

  it('The tables decode a route that landed on mainnet (2aBMaQvN8StxvedeExc8sGWfBUTC1co9ZnUXE7UE5UDboFWbrxrXvV7bXeWRSY6hhpU1RuNSVTHVFmoE6sfdcDDd)', () => {
    const data = bs58.decode('PrpFmsY4d26dKbdKMAXs4neVE2yj1DtChrbeqP7wzojhcyUY');
    const layout = findInstruction(JUPITER_INSTRUCTIONS, data);
    assert.equal(layout?.name, 'route');
    assert.deepEqual(decodeInstruction(layout, data), {
      route_plan: [{ swap: { kind: 'Raydium' }, percent: 100, input_index: 0, output_index: 1 }],
      in_amount: 100_000_000_000n,
      quoted_out_amount: 1_440_710_470_524n,
      slippage_bps: 30,
      platform_fee_bps: 85,
    });
  });

  it("Jupiter's swap variants have the numbers of its IDL", () => {
    const plan = JUPITER_INSTRUCTIONS.find(({ name }) => name === 'route')?.args[0]?.[1];
    const step = typeof plan === 'object' && 'vec' in plan ? plan.vec : undefined;
    const swap = typeof step === 'object' && 'struct' in step ? step.struct[0]?.[1] : undefined;
    const names = typeof swap === 'object' && 'enum' in swap ? swap.enum.map(([name]) => name) : [];
    const known = {
      Raydium: 7,
      Whirlpool: 17,
      MeteoraDlmm: 38,
      RaydiumCP: 46,
      WhirlpoolSwapV2: 47,
      Obric: 58,
      MeteoraDlmmSwapV2: 75,
      MeteoraDammV2: 77,
      HumidiFi: 87,
      RaydiumV2: 105,
      MeteoraDammV2WithRemainingAccounts: 108,
    };
    for (const [name, number] of Object.entries(known)) {
      assert.equal(names.indexOf(name), number, name);
    }
    assert.equal(new Set(names).size, names.length);
  });

  it("The accounts of Jupiter's instructions are in the places that the review policy expects", () => {
    const places = {
      route: [1, 2, [3, 4], 5],
      route_with_token_ledger: [1, 2, [3, 4], 5],
      route_v2: [0, 1, [2, 7], 4],
      shared_accounts_route: [2, 3, [6], 8],
      shared_accounts_route_v2: [1, 2, [5], 7],
      exact_out_route: [1, 2, [3, 4], 6],
      exact_out_route_v2: [0, 1, [2, 7], 4],
      shared_accounts_exact_out_route: [2, 3, [6], 8],
      shared_accounts_exact_out_route_v2: [1, 2, [5], 7],
      shared_accounts_route_with_token_ledger: [2, 3, [6], 8],
    } as const;
    assert.deepEqual(JUPITER_INSTRUCTIONS.map(({ name }) => name).sort(), Object.keys(places).sort());
    for (const { name, accounts } of JUPITER_INSTRUCTIONS) {
      const at = (...roles: readonly string[]): number[] =>
        accounts.flatMap((account, place) => (roles.includes(account.name) ? [place] : []));
      const [authority, source, destinations, mint] = places[name as keyof typeof places];
      assert.deepEqual(at('user_transfer_authority'), [authority], name);
      assert.deepEqual(at('user_source_token_account', 'source_token_account'), [source], name);
      assert.deepEqual(at('user_destination_token_account', 'destination_token_account'), [...destinations], name);
      assert.deepEqual(at('destination_mint'), [mint], name);
    }
  });

  it('The tables decode System instructions of @solana/web3.js', () => {
    const lamports = 7;
    const made: Readonly<Record<string, TransactionInstruction>> = {
      create_account: SystemProgram.createAccount({ fromPubkey: A, newAccountPubkey: B, lamports, space: 1, programId: C }),
      assign: SystemProgram.assign({ accountPubkey: A, programId: C }),
      transfer: SystemProgram.transfer({ fromPubkey: A, toPubkey: B, lamports }),
      create_account_with_seed: SystemProgram.createAccountWithSeed({
        fromPubkey: A,
        newAccountPubkey: B,
        basePubkey: A,
        seed: 'seed',
        lamports,
        space: 1,
        programId: C,
      }),
      advance_nonce_account: SystemProgram.nonceAdvance({ noncePubkey: A, authorizedPubkey: B }),
      withdraw_nonce_account: SystemProgram.nonceWithdraw({ noncePubkey: A, authorizedPubkey: B, toPubkey: C, lamports }),
      authorize_nonce_account: SystemProgram.nonceAuthorize({ noncePubkey: A, authorizedPubkey: B, newAuthorizedPubkey: C }),
      allocate: SystemProgram.allocate({ accountPubkey: A, space: 1 }),
      allocate_with_seed: SystemProgram.allocate({ accountPubkey: A, basePubkey: B, seed: 'sëed', space: 1, programId: C }),
      assign_with_seed: SystemProgram.assign({ accountPubkey: A, basePubkey: B, seed: '', programId: C }),
      transfer_with_seed: SystemProgram.transfer({ fromPubkey: A, basePubkey: B, toPubkey: C, lamports, seed: 'seed', programId: D }),
    };
    for (const [name, instruction] of Object.entries(made)) {
      assert.equal(readAs(SYSTEM_INSTRUCTIONS, instruction), name);
    }
  });

  it('The tables decode Compute Budget instructions of @solana/web3.js', () => {
    const made: Readonly<Record<string, TransactionInstruction>> = {
      request_heap_frame: ComputeBudgetProgram.requestHeapFrame({ bytes: 1024 }),
      set_compute_unit_limit: ComputeBudgetProgram.setComputeUnitLimit({ units: 5 }),
      set_compute_unit_price: ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 6 }),
    };
    for (const [name, instruction] of Object.entries(made)) {
      assert.equal(readAs(COMPUTE_BUDGET_INSTRUCTIONS, instruction), name);
    }
  });

  it('The tables decode token instructions of @solana/spl-token', () => {
    const made: Readonly<Record<string, readonly [string, ...unknown[]]>> = {
      initialize_mint: ['createInitializeMintInstruction', A, 6, B, null],
      initialize_account: ['createInitializeAccountInstruction', A, B, C],
      transfer: ['createTransferInstruction', A, B, C, 5n],
      approve: ['createApproveInstruction', A, B, C, 5n],
      revoke: ['createRevokeInstruction', A, B],
      set_authority: ['createSetAuthorityInstruction', A, B, 2, C],
      mint_to: ['createMintToInstruction', A, B, C, 5n],
      burn: ['createBurnInstruction', A, B, C, 5n],
      close_account: ['createCloseAccountInstruction', A, B, C],
      freeze_account: ['createFreezeAccountInstruction', A, B, C],
      thaw_account: ['createThawAccountInstruction', A, B, C],
      transfer_checked: ['createTransferCheckedInstruction', A, B, C, D, 5n, 6],
      approve_checked: ['createApproveCheckedInstruction', A, B, C, D, 5n, 6],
      mint_to_checked: ['createMintToCheckedInstruction', A, B, C, 5n, 6],
      burn_checked: ['createBurnCheckedInstruction', A, B, C, 5n, 6],
      initialize_account2: ['createInitializeAccount2Instruction', A, B, C],
      sync_native: ['createSyncNativeInstruction', A],
      initialize_account3: ['createInitializeAccount3Instruction', A, B, C],
      initialize_mint2: ['createInitializeMint2Instruction', A, 6, B, C],
      initialize_immutable_owner: ['createInitializeImmutableOwnerInstruction', A, B],
      amount_to_ui_amount: ['createAmountToUiAmountInstruction', A, 5n],
      ui_amount_to_amount: ['createUiAmountToAmountInstruction', A, '1.5'],
    };
    const makers = splToken();
    for (const [name, [maker, ...parts]] of Object.entries(made)) {
      const instruction = makers[maker]?.(...parts);
      assert.ok(instruction !== undefined, maker);
      assert.equal(readAs(TOKEN_INSTRUCTIONS, instruction), name);
    }
  });

  it('The tables decode associated token account instructions of @solana/spl-token', () => {
    const makers = splToken();
    const made = {
      create: makers.createAssociatedTokenAccountInstruction?.(A, B, C, D),
      create_idempotent: makers.createAssociatedTokenAccountIdempotentInstruction?.(A, B, C, D),
      recover_nested: makers.createRecoverNestedInstruction?.(A, B, C, D, A, B),
    };
    for (const [name, instruction] of Object.entries(made)) {
      assert.ok(instruction !== undefined);
      assert.equal(readAs(ASSOCIATED_TOKEN_INSTRUCTIONS, instruction), name);
    }
  });
});
