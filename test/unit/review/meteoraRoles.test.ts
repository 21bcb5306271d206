import assert from 'node:assert/strict';
import { TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { DAMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dlmmInstructions';
import { type Arguments, type InstructionLayout, instructionNamed } from '../../../src/base/solana/instructionCodec';
import { ZAP_INSTRUCTIONS } from '../../../src/base/solana/zapInstructions';
import {
  type AccountRoles,
  DAMM_STEPS,
  DAMM_ROLES,
  DLMM_STEPS,
  DLMM_ROLES,
  ZAP_DAMM_ROLES,
  ZAP_STEPS,
  ZAP_ROLES,
} from '../../../src/review/rules/meteoraRoles';
import { allowsStep, type IntentStep } from '../../../src/review/intents';
import type { Intent, Review } from '../../../src/review/types';
import {
  ADD_SOL,
  addressOf,
  CLAIM,
  dlmm,
  keyOf,
  objections,
  POSITION_KEY,
  reviewDrafts,
  SWAP,
  THIEF,
  UNWRAP,
  ZAP_IN,
  ZAP_OUT,
} from '../../support/review/bundles';
import {
  blockedAddresses,
  damm,
  DAMM_ADD,
  DAMM_CLAIM,
  DAMM_IN,
  DAMM_OUT,
  NFT_KEY,
  someArguments,
  zap,
} from '../../support/review/meteoraDrafts';
import { DAMM_POLICY_ROLES, DLMM_POLICY_ROLES, type PolicyRole, ZAP_POLICY_ROLES } from '../../support/review/policyRoles';

interface Program {
  readonly name: string;
  readonly layouts: readonly InstructionLayout[];
  readonly policy: readonly PolicyRole[];
  readonly steps: ReadonlyMap<string, IntentStep>;
  readonly rolesOf: (instruction: string) => AccountRoles;
  readonly build: (name: string, args: Arguments, accounts?: Readonly<Record<string, Address>>) => TransactionInstruction;
  readonly intents: Readonly<Record<Intent['kind'], Intent>>;
  /** How many instructions the policy knows and lists for no flow. */
  readonly strangers: number;
}

const EXCHANGES = { swap: SWAP, unwrap: UNWRAP };

const PROGRAMS_READ: readonly Program[] = [
  {
    name: 'DLMM',
    layouts: DLMM_INSTRUCTIONS,
    policy: DLMM_POLICY_ROLES,
    steps: DLMM_STEPS,
    rolesOf: () => DLMM_ROLES,
    build: dlmm,
    intents: { zapIn: ZAP_IN, zapOut: ZAP_OUT, claim: CLAIM, addLiquidity: ADD_SOL, ...EXCHANGES },
    strangers: 37,
  },
  {
    name: 'DAMM v2',
    layouts: DAMM_INSTRUCTIONS,
    policy: DAMM_POLICY_ROLES,
    steps: DAMM_STEPS,
    rolesOf: () => DAMM_ROLES,
    build: damm,
    intents: { zapIn: DAMM_IN, zapOut: DAMM_OUT, claim: DAMM_CLAIM, addLiquidity: DAMM_ADD, ...EXCHANGES },
    strangers: 30,
  },
  {
    name: 'Zap',
    layouts: ZAP_INSTRUCTIONS,
    policy: ZAP_POLICY_ROLES,
    steps: ZAP_STEPS,
    build: zap,
    strangers: 0,
    rolesOf: (instruction) => (instruction === 'zap_in_damm_v2' ? ZAP_DAMM_ROLES : ZAP_ROLES),
    intents: { zapIn: ZAP_IN, zapOut: ZAP_OUT, claim: CLAIM, addLiquidity: ADD_SOL, ...EXCHANGES },
  },
];

/** In the order of the policy. */
const KINDS = ['zapIn', 'zapOut', 'claim', 'addLiquidity', 'swap', 'unwrap'] as const;
const GROUP_OF = { zapIn: 'add', zapOut: 'close', claim: 'claim', addLiquidity: 'add', swap: 'swap', unwrap: 'swap' } as const;
const SIGNERS = [keyOf('thief'), POSITION_KEY, NFT_KEY];

/** Reviews one instruction that everybody has signed who is named as a signer. */
function reviewOne(intent: Intent, instruction: TransactionInstruction): Review {
  const signing = new Set(instruction.keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey.toBase58()));
  const signers = SIGNERS.filter(({ publicKey }) => signing.has(publicKey.toBase58()));
  return reviewDrafts(intent, [{ group: GROUP_OF[intent.kind], instructions: [instruction], signers }]);
}

const named = (list: string): string[] => list.split(' ').flatMap((entry) => entry.split(':')[1] ?? []);

for (const { name: program, layouts, policy, steps, rolesOf, build, intents, strangers } of PROGRAMS_READ) {
  describe(`review: roles of ${program}`, () => {
    it('The decoder assigns the roles of the table for every instruction of a flow', () => {
      for (const [name, kinds, authority, tokens, rent, pool, position] of policy) {
        const layout = instructionNamed(layouts, name);
        const roles = rolesOf(name);
        const places = (...wanted: readonly string[]): string =>
          layout.accounts.flatMap((account, place) => (wanted.includes(account.name) ? [`${place}:${account.name}`] : [])).join(' ');
        const step = steps.get(name);
        const allowing = KINDS.filter((kind) => step !== undefined && allowsStep(intents[kind], step));
        assert.equal(allowing.join(' '), kinds, `${name}: kinds of operations`);
        assert.equal(places(...roles.owner), authority, `${name}: owner`);
        assert.equal(places(...roles.ownTokens), tokens, `${name}: token accounts`);
        assert.equal(places(roles.rent), rent, `${name}: rent`);
        assert.equal(places(roles.pool).split(':')[0], pool, `${name}: pool`);
        assert.equal(places(roles.position).split(':')[0], position, `${name}: position`);
      }
      assert.equal(steps.size, policy.length);
    });

    it('The review blocks a foreign account in every role that the policy lists', () => {
      for (const [name, kinds, authority, tokens, rent, pool, position] of policy) {
        const layout = instructionNamed(layouts, name);
        const args = someArguments(layout);
        const at = (place: string): string[] => (place === '' ? [] : [layout.accounts[Number(place)]?.name ?? '']);
        for (const kind of KINDS) {
          if (!kinds.includes(kind)) {
            continue;
          }
          assert.ok(!blockedAddresses(reviewOne(intents[kind], build(name, args))).includes(THIEF), `${name}, honest`);
          for (const role of [
            ...named(authority),
            ...named(tokens),
            ...named(rent),
            ...(kind === 'swap' ? [] : at(pool)),
            ...at(position),
          ]) {
            assert.ok(
              blockedAddresses(reviewOne(intents[kind], build(name, args, { [role]: THIEF }))).includes(THIEF),
              `${name}: ${role} in ${kind}`,
            );
          }
        }
      }
    });

    it('The review blocks every instruction in a flow that the policy does not list it for', () => {
      const others = layouts.filter(({ name }) => !policy.some(([listed]) => listed === name));
      assert.equal(others.length, strangers);
      for (const layout of layouts) {
        const kinds = policy.find(([listed]) => listed === layout.name)?.[1] ?? '';
        for (const kind of KINDS.filter((one) => !kinds.includes(one))) {
          const { programId, keys, data } = build(layout.name, someArguments(layout));
          const unsigned = keys.map(({ pubkey, isWritable }) => ({ pubkey, isWritable, isSigner: false }));
          const review = reviewOne(intents[kind], new TransactionInstruction({ programId, keys: unsigned, data }));
          assert.ok(
            review.findings.some(({ rule, verdict }) => verdict === 'block' && /^(DLMM-5|DLMM-8|DAMM-5|ZAP-1)$/.test(rule)),
            `${layout.name} in ${kind}: ${objections(review).join(', ')}`,
          );
        }
      }
    });

    it('The review blocks unreadable instruction data and missing accounts', () => {
      const [name = '', kinds = ''] = policy.find(([, , authority]) => authority !== '') ?? [];
      const intent = intents[kinds.includes('zapIn') ? 'zapIn' : 'zapOut'];
      const { data, keys, programId } = build(name, someArguments(instructionNamed(layouts, name)));
      const odd = [Buffer.alloc(8), Buffer.alloc(0), data.subarray(0, 7), Buffer.concat([data, Buffer.from([0])])];
      const spoilt = [...odd.map((bytes) => ({ data: bytes, keys, programId })), { data, keys: keys.slice(0, -2), programId }];
      for (const instruction of spoilt) {
        const blocks = reviewOne(intent, new TransactionInstruction(instruction)).findings.filter(({ verdict }) => verdict === 'block');
        assert.deepEqual(
          blocks.map(({ rule }) => rule).filter((rule) => rule !== 'SIG-1'),
          [program === 'Zap' ? 'ZAP-1' : 'DLMM-0'],
        );
      }
    });
  });
}

describe('review: rewards', () => {
  it("The review allows rewards only to the owner's associated account of the reward mint", () => {
    const other = addressOf('another mint');
    for (const [intent, build] of [
      [ZAP_OUT, dlmm],
      [DAMM_OUT, damm],
    ] as const) {
      const name = 'claim_reward';
      const layouts = build === dlmm ? DLMM_INSTRUCTIONS : DAMM_INSTRUCTIONS;
      const args = someArguments(instructionNamed(layouts, name));
      assert.deepEqual(objections(reviewOne(intent, build(name, args))), []);
      assert.deepEqual(objections(reviewOne(intent, build(name, args, { reward_mint: other }))), [
        build === dlmm ? 'block DLMM-2' : 'block DAMM-2',
      ]);
    }
  });
});
