import { addressBytes, addressFromBytes, type Address } from '../../src/base/solana/address';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { KNOWN_DECIMALS, PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { RentRate } from '../../src/base/solana/rent';
import type { CaseInput } from '../../src/review/report/caseFormat';
import { decodeTransaction, type TransactionView } from '../../src/review/decode/transaction';
import {
  NO_FACTS,
  type AccountState,
  type ChainFacts,
  type InnerInstruction,
  type SimulatedTransaction,
  type TokenAccountFact,
} from '../../src/review/facts/facts';
import { readInstructions } from '../../src/review/decode/instructions';
import { relaxationOf, type Relaxation } from '../../src/review/rules/relaxations';
import { reviewOperation } from '../../src/review/review';
import { listedDecimals } from '../../src/review/rules/decimals';
import { mintsOf, poolFieldsOf } from '../../src/review/intents';
import type { Finding, Intent, Review, Verdict } from '../../src/review/types';

// Property: an RPC can only make a review stricter. With facts, the verdict is never less strict than without them, except for the list in
// src/review/rules/relaxations.ts. This file also makes facts to test it: of an honest chain, of an attacker with prepared accounts, and partial ones.

/** From the least strict verdict to the strictest. */
const ORDER: readonly Verdict[] = ['allow', 'confirm', 'block'];

/** The verdicts on a case without and with facts. */
export interface Comparison {
  /** Findings that disappeared with the facts although no relaxation allows it; empty where the property holds. */
  readonly unproved: readonly Finding[];
  /** The relaxations that made the verdict less strict; empty where it did not change. */
  readonly used: ReadonlySet<Relaxation['name']>;
  /** `undefined`: not decided, because no verdict is stricter than the one with the facts. */
  readonly offline: Verdict | undefined;
  readonly withFacts: Verdict;
}

/** Reviews a case with facts and, where that can be stricter, without any, and compares the verdicts. */
export function compared(input: CaseInput, facts: ChainFacts, reviewOffline = () => reviewWithout(input)): Comparison {
  const withFacts = reviewOperation({ ...input, facts, nowMs: 0 });
  if (withFacts.verdict === 'block') {
    return { unproved: [], used: new Set(), offline: undefined, withFacts: withFacts.verdict };
  }
  const offline = reviewOffline();
  const verdicts = { offline: offline.verdict, withFacts: withFacts.verdict };
  if (ORDER.indexOf(withFacts.verdict) >= ORDER.indexOf(offline.verdict)) {
    return { ...verdicts, unproved: [], used: new Set() };
  }
  const gone = offline.findings.filter(({ verdict }) => verdict !== 'info' && ORDER.indexOf(verdict) > ORDER.indexOf(withFacts.verdict));
  const resolved = transactionsWithResolvedAccounts(input, facts);
  const proofs = gone.map((finding) => {
    const usesResolvedTable = finding.transaction === undefined ? resolved.size > 0 : resolved.has(finding.transaction);
    return { finding, by: relaxationOf(finding, facts, { usesResolvedTable, verdict: withFacts.verdict }) };
  });
  return {
    ...verdicts,
    unproved: proofs.filter(({ by }) => by === undefined).map(({ finding }) => finding),
    used: new Set(proofs.flatMap(({ by }) => by?.name ?? [])),
  };
}

/** Reviews a case from its bytes alone. */
export function reviewWithout(input: CaseInput): Review {
  return reviewOperation({ ...input, facts: NO_FACTS, nowMs: 0 });
}

function transactionsWithResolvedAccounts({ transactions }: CaseInput, { lookupTables }: ChainFacts): ReadonlySet<number> {
  return new Set(
    transactions.flatMap(({ base64, group }, index) => {
      const view = decodeTransaction(base64, group, index, lookupTables);
      return 'rule' in view || !view.tables.some(({ content }) => content !== undefined) ? [] : [index];
    }),
  );
}

const CLEAN = { state: 'initialized', delegate: null, closeAuthority: null } as const;
const RICH = 1_000_000_000_000n;
/** More than any operation of the corpora promises, raw units. */
const GAINED_RAW = 1_000_000_000_000_000n;

/** Facts that an RPC may report about a case, by kind. */
export const FACTS: Readonly<Record<string, (input: CaseInput) => ChainFacts>> = {
  // Accounts cost less than before on this chain, and by the attacker's node as little or as much as a node can tell.
  'an honest chain': (input) => ({ ...factsOf(input, { isHostile: false }), rent: RentRate.ofLamportsPerByte(2_575n) }),
  "an attacker's accounts": (input) => factsOf(input, { isHostile: true }),
  "an attacker's accounts, in the compact form": (input) => ({
    ...factsOf(input, { isHostile: true, isCompact: true }),
    rent: RentRate.ofLamportsPerByte(696n),
  }),
  "an attacker's accounts without a simulation": (input) => ({
    ...factsOf(input, { isHostile: true }),
    rent: RentRate.ofLamportsPerByte(69_600n),
    simulation: undefined,
  }),
  "lookup tables that seem to hold the owner's accounts": (input) => {
    const facts = factsOf(input, { isHostile: true });
    return { ...facts, lookupTables: withOwnAccounts(input, facts.lookupTables) };
  },
  'partial facts': (input) => {
    const { tokenAccounts, simulation, ...facts } = factsOf(input, { isHostile: true });
    const half = <Value>(map: ReadonlyMap<Address, Value>): ReadonlyMap<Address, Value> =>
      new Map([...map].filter((_, at) => at % 2 === 0));
    const first = simulation && { ...simulation, transactions: simulation.transactions.slice(0, 1) };
    return {
      ...facts,
      tokenAccounts: half(tokenAccounts),
      lookupTables: half(facts.lookupTables),
      mints: new Map(),
      simulation: first,
      problem: 'The RPC did not answer everything.',
    };
  },
};

interface Kind {
  /** Reports every account that has no known owner as the owner's, and fills tables with such accounts. */
  readonly isHostile: boolean;
  /** Facts that state only the owner and mint of a token account. */
  readonly isCompact?: boolean;
}

function factsOf(input: CaseInput, kind: Kind): ChainFacts {
  const { intent, transactions, facts = NO_FACTS } = input;
  const mints = mintsNamedIn(intent);
  const own = new Map(
    [...mints, WRAPPED_SOL_MINT].flatMap((mint) =>
      [PROGRAMS.token, PROGRAMS.token2022].map((program) => [associatedTokenAddress(intent.owner, mint, program), mint] as const),
    ),
  );
  const unresolved = transactions.flatMap(({ base64, group }, index) => viewOf(base64, group, index) ?? []);
  const tables = new Map(facts.lookupTables);
  for (const { tableLookups } of unresolved.map(({ wire }) => wire)) {
    for (const { table, writableIndexes, readonlyIndexes } of tableLookups) {
      const length = Math.max(-1, ...writableIndexes, ...readonlyIndexes) + 1;
      if (!tables.has(table)) {
        tables.set(table, { addresses: Array.from({ length }, (_, place) => madeUp(table, place)), isDeactivated: false });
      }
    }
  }
  const views = transactions.flatMap(({ base64, group }, index) => viewOf(base64, group, index, tables) ?? []);
  const named = [...new Set(views.flatMap(({ accounts }) => accounts.flatMap(({ address }) => address ?? [])))];
  const said = (mint: Address): TokenAccountFact => ({ owner: intent.owner, mint, ...(kind.isCompact === true ? {} : CLEAN) });
  const programs: readonly Address[] = Object.values(PROGRAMS);
  const held = named.filter(
    (account) =>
      own.has(account) || (kind.isHostile && account !== intent.owner && !programs.includes(account) && !mints.includes(account)),
  );
  return {
    ...NO_FACTS,
    lookupTables: tables,
    tokenAccounts: new Map(
      held.map((account, at) => [account, said(own.get(account) ?? (at % 2 === 0 ? (mints[0] ?? WRAPPED_SOL_MINT) : WRAPPED_SOL_MINT))]),
    ),
    mints: new Map(mints.map((mint) => [mint, []])),
    decimals: decimalsOf(input, kind),
    blockhashes: new Map(views.map(({ wire }) => [wire.recentBlockhash, true])),
    simulation: {
      slot: 9n,
      transactions: transactions.map((_, index) =>
        simulated(
          views.find((view) => view.index === index),
          input,
          own,
        ),
      ),
    },
  };
}

/** Decimals of the mints: true ones, or those that the service claims. */
function decimalsOf({ intent, facts = NO_FACTS }: CaseInput, { isHostile }: Kind): ReadonlyMap<Address, number> {
  const claimed = listedDecimals(intent).map(({ mint, decimals }) => [mint, decimals] as const);
  return new Map(isHostile ? claimed : [...claimed, ...(facts.decimals ?? []), ...KNOWN_DECIMALS]);
}

function mintsNamedIn(intent: Intent): readonly Address[] {
  const { tokenX, tokenY } = poolFieldsOf(intent);
  return [tokenX, tokenY, ...mintsOf(intent)].filter((mint) => mint !== undefined);
}

/** Names one of the owner's accounts in every place of a table that the transactions use for an account that may be one. */
function withOwnAccounts({ intent, transactions }: CaseInput, tables: ChainFacts['lookupTables']): ChainFacts['lookupTables'] {
  const changed = new Map([...tables].map(([table, { addresses }]) => [table, [...addresses]]));
  const mints = mintsNamedIn(intent);
  const { position } = poolFieldsOf(intent);
  const own = [...mints, WRAPPED_SOL_MINT].map((mint) => associatedTokenAddress(intent.owner, mint, PROGRAMS.token));
  for (const view of transactions.flatMap(({ base64, group }, index) => viewOf(base64, group, index, tables) ?? [])) {
    const { staticKeys, tableLookups } = view.wire;
    const places = [
      ...tableLookups.flatMap(({ table, writableIndexes }) => writableIndexes.map((place) => ({ table, place }))),
      ...tableLookups.flatMap(({ table, readonlyIndexes }) => readonlyIndexes.map((place) => ({ table, place }))),
    ];
    const { readings } = readInstructions(view);
    // The network rejects an account that is named twice, and so does the review (DEC-6).
    const left = [...(position === undefined ? [] : [position]), ...new Set(own)].filter(
      (account) => !view.accounts.some(({ address }) => address === account),
    );
    places.forEach(({ table, place }, at) => {
      const account = view.accounts[staticKeys.length + at];
      const roles = readings.flatMap(
        ({ layout, view: { accounts } }) => layout?.accounts.filter((_, role) => accounts[role] === account) ?? [],
      );
      const isPosition = roles.some(({ name }) => name === 'position');
      const next = left.findIndex((one) => (one === position) === isPosition);
      const entries = changed.get(table);
      if (next >= 0 && entries !== undefined && roles.some(({ name }) => OWN_ROLE.test(name))) {
        entries.splice(place, 1, ...left.splice(next, 1));
      }
    });
  }
  return new Map([...changed].map(([table, addresses]) => [table, { addresses, isDeactivated: false }]));
}

/** Roles of accounts that are the owner's in an honest transaction, by the names in the IDLs. */
const OWN_ROLE =
  /^(position|user_.*|token_[ab]_account|(input|output|source|destination|taker_(in|out)put_mint)_token_account|source|destination|to|account)$/;

function viewOf(
  base64: string,
  group: CaseInput['transactions'][number]['group'],
  index: number,
  tables: ChainFacts['lookupTables'] = new Map(),
): TransactionView | undefined {
  const view = decodeTransaction(base64, group, index, tables);
  return 'rule' in view ? undefined : view;
}

/** A deterministic address that exists only in a table. */
function madeUp(table: Address, place: number): Address {
  const bytes = addressBytes(table).slice();
  bytes[0] = (bytes[0] ?? 0) ^ 0xa5;
  bytes[31] = place;
  return addressFromBytes(bytes);
}

/** A clean simulation: the owner's balances only grow, and every claim pays a lot. */
function simulated(view: TransactionView | undefined, { intent }: CaseInput, own: ReadonlyMap<Address, Address>): SimulatedTransaction {
  const states = (gainedRaw: bigint): ReadonlyMap<Address, AccountState> =>
    new Map([
      [intent.owner, { lamports: RICH, program: PROGRAMS.system, data: new Uint8Array() }],
      ...[...own].map(([account, mint]): [Address, AccountState] => [account, tokenAccount(mint, intent.owner, gainedRaw)]),
    ]);
  const innerInstructions =
    view === undefined
      ? []
      : readInstructions(view).readings.flatMap((reading) =>
          paymentsOf(reading.layout?.accounts.map(({ name }) => name) ?? [], reading.index, view),
        );
  return { error: undefined, before: states(GAINED_RAW), after: states(2n * GAINED_RAW), innerInstructions };
}

/** What each side of a claim pays, from the pool's account to the owner's. */
function paymentsOf(roles: readonly string[], calledBy: number, view: TransactionView): InnerInstruction[] {
  const sides = [
    ['reserve_x', 'user_token_x'],
    ['reserve_y', 'user_token_y'],
    ['token_a_vault', 'token_a_account'],
    ['token_b_vault', 'token_b_account'],
  ] as const;
  const placeOf = (role: string): number => {
    const account = view.instructions[calledBy]?.accounts[roles.indexOf(role)];
    return account === undefined ? -1 : view.accounts.indexOf(account);
  };
  const programIdIndex = view.accounts.findIndex(({ address }) => address === PROGRAMS.token);
  const data = Buffer.alloc(9);
  data[0] = 3;
  data.writeBigUInt64LE(GAINED_RAW, 1);
  return sides.flatMap(([from, to]) => {
    const [source, destination] = [placeOf(from), placeOf(to)];
    return source < 0 || destination < 0 || programIdIndex < 0
      ? []
      : [{ calledBy, programIdIndex, accountIndexes: [source, destination, 0], data: new Uint8Array(data) }];
  });
}

/** A token account in the layout of spl-token `Account`, without a delegate and a close authority. */
function tokenAccount(mint: Address, owner: Address, amountRaw: bigint): AccountState {
  const data = Buffer.alloc(165);
  data.set(addressBytes(mint), 0);
  data.set(addressBytes(owner), 32);
  data.writeBigUInt64LE(amountRaw, 64);
  data[108] = 1;
  return { lamports: 2_039_280n, program: PROGRAMS.token, data: new Uint8Array(data) };
}
