import assert from 'node:assert/strict';
import { VersionedTransaction } from '@solana/web3.js';
import { addressBytes } from '../../../src/base/solana/address';
import { verifyEd25519 } from '../../../src/base/solana/ed25519';
import { messageOf, parseTransaction } from '../../../src/base/solana/wireTransaction';
import type { CaseInput } from '../../../src/review/report/caseFormat';
import { inputOf, type AttackCase } from '../../corpus/attack';
import { canBeWritten, lineOf, run, type CommandLineAnswer } from '../../corpus/commandLine';
import { CORPUS } from '../../corpus/corpus';
import { faultIn, reviewOf } from '../../corpus/judge';
import { IN, OUT, SWAP_OF, SWAP_SOL_OF, UNWRAP_OF } from '../../corpus/plant';
import { attackedRules } from '../../corpus/policyRules';
import { OWNER_SECRET, SIGNING_ATTEMPTS } from '../../corpus/signing';
import { INTO_POSITION } from '../../corpus/tokensIn';
import { IS_LONG } from '../../support/runs';
import { OWNER, THIEF, transferSol, VERSIONS, ZAP_IN, ZAP_OUT } from '../../support/review/bundles';

/** A case of each rule that has one like this. */
function oneOfEachRule(wanted: (of: AttackCase) => boolean): AttackCase[] {
  return attackedRules().flatMap((rule) => {
    for (const attack of CORPUS) {
      const found = attack.rule === rule ? attack.sample().find((of) => wanted(of)) : undefined;
      if (found !== undefined) return [found];
    }
    return [];
  });
}

describe('review: corpus of attacks', () => {
  it('The corpus has an attack for every rule of the policy and for no other rule', () => {
    const answered = new Set([...CORPUS, ...SIGNING_ATTEMPTS].map(({ rule }) => rule));
    assert.deepEqual([...answered].sort(), attackedRules().toSorted());
  });

  it('Every attack has a unique name', () => {
    const names = CORPUS.map(({ rule, what }) => `${rule} ${what}`);
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    );
  });

  it('The corpus starts from operations that the review allows without a question', () => {
    for (const version of VERSIONS) {
      for (const { name, intent, drafts } of [OUT, IN, INTO_POSITION, SWAP_OF, SWAP_SOL_OF, UNWRAP_OF]) {
        assert.deepEqual(
          reviewOf(inputOf(intent, drafts(version))).found.filter(({ verdict }) => verdict !== 'info'),
          [],
          name,
        );
      }
    }
  });

  it('The sample of an attack has one of its places for each finding, the same one each time', () => {
    const attack = CORPUS.find(({ rule, what }) => rule === 'SYS-1' && what === 'skims with a SOL transfer');
    const [all, sample] = [attack?.cases() ?? [], attack?.sample() ?? []];
    assert.ok(all.length > 20, String(all.length));
    assert.deepEqual(sample.map(({ finding }) => finding).sort(), ['block SYS-1', 'confirm SYS-1']);
    assert.ok(sample.every((one) => all.some(({ variant }) => variant === one.variant)));
    assert.deepEqual(attack?.sample(), sample);
  });

  // In one place each; `npm test -- --long` and `npm run fuzz` try all places.
  for (const { rule, what, cases: everywhere, sample } of CORPUS) {
    it(`The review gives ${rule} for this attack: ${what}`, () => {
      const cases = IS_LONG ? everywhere() : sample();
      assert.ok(cases.length > 0, 'No form of it fits into a transaction.');
      assert.deepEqual(
        cases.flatMap((of) => faultIn(of) ?? []),
        [],
      );
    });
  }
});

describe('review: command line', function () {
  const HONEST = inputOf(ZAP_OUT, OUT.drafts(0));
  const QUESTIONED = inputOf(ZAP_OUT, [...OUT.drafts(0), { group: 'swap', instructions: [transferSol(THIEF, 1n)] }]);
  const rulesOf = ({ findings }: CommandLineAnswer): string[] => findings.map(({ rule }) => rule);

  it('The command line answers lines about every rule in order and exactly as the review does', async () => {
    const cases = oneOfEachRule(({ input }) => canBeWritten(input));
    assert.ok(cases.length > 80, String(cases.length));
    const { code, answers, errors } = await run(cases.map(({ input }) => `${lineOf(input)}\n`).join(''));
    assert.equal(code, 0);
    assert.equal(errors, '');
    assert.equal(answers.length, cases.length);
    cases.forEach(({ input, variant, verdict }, at) => {
      const answer = answers[at];
      const review = reviewOf(input);
      assert.equal(answer?.verdict, verdict, variant);
      assert.deepEqual(
        answer.findings.map(({ rule, verdict: of, tx, ix }) => ({ rule, verdict: of, tx, ix })),
        review.found,
        variant,
      );
      assert.equal(answer.reviewHash === undefined, review.readable === 0 || review.readable < input.transactions.length, variant);
      assert.equal(answer.signed, undefined);
    });
  });

  it('The command line separates input lines only at line ends', async () => {
    const line = lineOf(HONEST);
    const named = line.replace('"name":"case"', '"name":"ca\u2028se \u2029 \u0085"');
    for (const text of [
      `${line}\n${line}\n`,
      `${line}\n${line}`,
      `${line}\r\n${line}\r\n`,
      `\n\n${line}\n \n${line}\n\n`,
      `\ufeff${line}\n${line}`,
      `${named}\n${named}\n`,
    ]) {
      const { code, answers } = await run(text);
      assert.deepEqual([code, ...answers.map(({ verdict }) => verdict)], [0, 'allow', 'allow'], JSON.stringify(text.slice(-20)));
    }
    const nothing = await run('');
    assert.deepEqual([nothing.code, nothing.output], [0, '']);
  });

  it('The command line answers an unreadable line with a block and continues', async () => {
    const key = { secretKeyBase58: OWNER_SECRET };
    const theCase = (JSON.parse(lineOf(HONEST)) as { readonly case: Readonly<Record<string, unknown>> }).case;
    const asking = (change: Readonly<Record<string, unknown>>): string =>
      JSON.stringify({ schema: 1, op: 'review', case: { ...theCase, ...change } });
    const intent = theCase['intent'] as Readonly<Record<string, unknown>>;
    const malformed = [
      '{',
      'null',
      '[]',
      '7',
      '"text"',
      '{}',
      '{"schema":1}',
      '{"schema":2,"op":"review","case":{}}',
      '{"schema":1,"op":"steal","case":{}}',
      `{"schema":1,"op":"sign","secretKeyBase58":"${OWNER_SECRET}"`,
      lineOf(HONEST).slice(0, -2),
      '\u0000',
      '['.repeat(100_000),
      JSON.stringify({ schema: 1, ...key, op: 'review', case: null }),
      asking({ kind: 'zap' }),
      asking({ txs: 'AAAA' }),
      asking({ txs: [null] }),
      asking({ txs: undefined }),
      asking({ intent: {} }),
      asking({ intent: { ...intent, owner: 'nobody' } }),
      asking({ intent: { ...intent, slippageBps: 1.5 } }),
      asking({ intent: { ...intent, bps: 10_001 } }),
      asking({ kind: 'zapIn', intent: { ...intent, inputSOL: '1.0000000001' } }),
      asking({ kind: 'zapIn', intent: { ...intent, inputSOL: -1 } }),
      asking({ kind: 'zapIn', intent: { ...intent, inputSOL: 1e300 } }),
      asking({ lookupTables: { [OWNER]: ['nobody'] } }),
      asking({ policy: { tipAllowLamports: '-1' } }),
      asking({ prior: { tipLamports: 'much' } }),
    ];
    const { code, answers, output } = await run([...malformed, lineOf(HONEST)].join('\n'));
    assert.equal(code, 0);
    assert.deepEqual(
      answers.map(({ verdict }) => verdict),
      [...malformed.map(() => 'block'), 'allow'],
    );
    answers.slice(0, -1).forEach((answer, at) => assert.deepEqual(rulesOf(answer), ['CASE'], malformed[at]));
    assert.ok(!output.includes(OWNER_SECRET));
  });

  it('The command line handles transactions that are no text and ignores unknown fields', async () => {
    const line = JSON.parse(lineOf(HONEST)) as { readonly case: { readonly txs: readonly unknown[] } };
    const changed = (change: Readonly<Record<string, unknown>>): string => JSON.stringify({ ...line, case: { ...line.case, ...change } });
    const { answers } = await run(
      [
        changed({ txs: [{ group: 'close', txBase64: 7 }] }),
        changed({ txs: [{ group: 'close' }] }),
        JSON.stringify({ ...line, later: [1] }),
        changed({ later: { a: 1 } }),
        changed({ txs: line.case.txs.map((tx) => ({ ...(tx as object), later: true })) }),
      ].join('\n'),
    );
    assert.deepEqual(
      answers.map(({ verdict }) => verdict),
      ['block', 'block', 'allow', 'allow', 'allow'],
    );
    assert.ok(answers.slice(0, 2).every((answer) => rulesOf(answer).includes('DEC-1')));
  });

  it('The command line accepts an empty transaction list, and a group for the case or for each transaction', async () => {
    const line = JSON.parse(lineOf(HONEST)) as {
      readonly case: { readonly txs: readonly { readonly group: string; readonly txBase64: string }[] };
    };
    const [close] = line.case.txs;
    const grouped = (group: string, own: string | undefined): string =>
      JSON.stringify({
        ...line,
        case: { ...line.case, group, txs: [{ txBase64: close?.txBase64, ...(own === undefined ? {} : { group: own }) }] },
      });
    const { code, answers } = await run(
      [
        JSON.stringify({ ...line, case: { ...line.case, txs: [] } }),
        grouped('close', undefined),
        grouped('add', 'close'),
        grouped('close', 'add'),
        grouped('add', undefined),
        grouped('bundle', undefined),
      ].join('\n'),
    );
    assert.equal(code, 0);
    assert.deepEqual(
      answers.map(({ verdict }) => verdict),
      ['confirm', 'allow', 'allow', 'block', 'block', 'allow'],
    );
    assert.deepEqual(
      answers.map((answer) => rulesOf(answer).includes('BND-5')),
      [false, false, false, true, true, false],
    );
    assert.ok(answers[0] !== undefined && rulesOf(answers[0]).includes('BND-1'));
  });

  it('The command line reads a megabyte line about as fast as a short line', async () => {
    const huge = JSON.parse(lineOf(HONEST)) as { readonly case: { readonly txs: readonly unknown[] } };
    const bulky = JSON.stringify({ ...huge, case: { ...huge.case, txs: [{ group: 'close', txBase64: 'A'.repeat(1_000_000) }] } });
    const padded = JSON.stringify({ ...huge, later: 'x'.repeat(1_000_000) });
    // Most of it is the start of the process. Anything quadratic in the length would take minutes.
    const shortFromMs = performance.now();
    await run([lineOf(HONEST), lineOf(HONEST), lineOf(HONEST)].join('\n'));
    const startMs = performance.now();
    const shortMs = startMs - shortFromMs;
    const { code, answers } = await run([bulky, padded, lineOf(HONEST)].join('\n'));
    const longMs = performance.now() - startMs;
    assert.ok(longMs < 10 * shortMs, `${longMs} ms for long lines, ${shortMs} ms for short lines`);
    assert.equal(code, 0);
    assert.deepEqual(
      answers.map(({ verdict }) => verdict),
      ['block', 'allow', 'allow'],
    );
    assert.ok(answers[0] !== undefined && rulesOf(answers[0]).includes('DEC-3'));
  });

  describe('signing', () => {
    /** The signed texts are the given ones with the owner's place filled, and nothing else. */
    function assertSigned(input: CaseInput, signed: readonly string[] | undefined): void {
      assert.equal(signed?.length, input.transactions.length);
      signed.forEach((text, at) => {
        const [before, after] = [input.transactions[at]?.base64 ?? '', text].map(
          (base64) => new Uint8Array(Buffer.from(base64, 'base64')),
        ) as [Uint8Array, Uint8Array];
        assert.equal(after.length, before.length);
        const wire = parseTransaction(after);
        const { staticKeys, signaturesOffset } = wire;
        const message = messageOf(before, wire);
        const begin = signaturesOffset + 64 * staticKeys.indexOf(OWNER);
        assert.deepEqual(
          [...after.keys()].filter((place) => after[place] !== before[place] && !(place >= begin && place < begin + 64)),
          [],
        );
        assert.ok(verifyEd25519(addressBytes(OWNER), message, after.subarray(begin, begin + 64)));
        VersionedTransaction.deserialize(after).signatures.forEach((signature, slot) => {
          assert.ok(verifyEd25519(addressBytes(staticKeys[slot] ?? OWNER), message, signature));
        });
      });
    }

    const asking = (input: CaseInput, more: Readonly<Record<string, unknown>>): string => lineOf(input, { op: 'sign', ...more });

    it('The command line signs allowed and confirmed transactions in all formats', async () => {
      const mixed = VERSIONS.flatMap((version, at) => IN.drafts(version).slice(at, at + 1));
      const inputs = [
        ...VERSIONS.flatMap((version) => [inputOf(ZAP_OUT, OUT.drafts(version)), inputOf(ZAP_IN, IN.drafts(version))]),
        inputOf(ZAP_IN, mixed),
      ];
      const { code, answers, output } = await run(
        [
          ...inputs.map((input) => asking(input, { secretKeyBase58: OWNER_SECRET })),
          asking(QUESTIONED, { secretKeyBase58: OWNER_SECRET, confirmed: true }),
        ].join('\n'),
      );
      assert.equal(code, 0);
      assert.deepEqual(
        answers.map(({ verdict }) => verdict),
        [...inputs.map(() => 'allow'), 'confirm'],
      );
      [...inputs, QUESTIONED].forEach((input, at) => assertSigned(input, answers[at]?.signed));
      assert.ok(!output.includes(OWNER_SECRET));
    });

    it('The command line signs nothing that is blocked, unconfirmed or requested wrongly', async () => {
      const { code, answers, output, errors } = await run(SIGNING_ATTEMPTS.map(({ input, more }) => asking(input, more)).join('\n'));
      assert.equal(code, 0);
      assert.equal(answers.length, SIGNING_ATTEMPTS.length);
      SIGNING_ATTEMPTS.forEach(({ what, more }, at) => {
        assert.deepEqual(answers[at]?.signed, [], what);
        assert.notEqual(answers[at].verdict, 'allow', what);
        const { secretKeyBase58: secret } = more;
        assert.ok(typeof secret !== 'string' || secret === OWNER || !`${output}${errors}`.includes(secret), what);
      });
    });

    it('The command line signs no blocked transaction of the corpus, even after confirmation', async () => {
      const blocked = oneOfEachRule(({ verdict, input }) => verdict === 'block' && canBeWritten(input));
      assert.ok(blocked.length > 50, String(blocked.length));
      const { code, answers, output } = await run(
        blocked.map(({ input }) => asking(input, { secretKeyBase58: OWNER_SECRET, confirmed: true })).join('\n'),
      );
      assert.equal(code, 0);
      assert.deepEqual(
        answers.map(({ verdict, signed }) => [verdict, signed?.length]),
        blocked.map(() => ['block', 0]),
      );
      assert.ok(!output.includes(OWNER_SECRET));
    });
  });
});
