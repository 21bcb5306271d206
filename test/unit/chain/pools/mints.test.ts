import assert from 'node:assert/strict';
import { type Address, address, addressBytes } from '../../../../src/base/solana/address';
import { PROGRAMS, USDC_MINT } from '../../../../src/base/solana/programs';
import { type MintFacts, mintFacts } from '../../../../src/chain/pools/mints';
import { mintOf } from '../../../support/chain/dataPools';

const MINT = address(mintOf(1));
const METAPLEX = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
const METADATA_EXTENSION = 19;

describe('chain: mints and their metadata', () => {
  it('Decimals, supply and authorities are those of the account', () => {
    const facts = read(mintData());
    assert.deepEqual([facts?.decimals, facts?.supply, facts?.hasAuthority, facts?.tokenProgram], [6, 1_000n, false, PROGRAMS.token]);
    assert.equal(read(mintData({ mintAuthority: 1 }))?.hasAuthority, true);
    assert.equal(read(mintData({ freezeAuthority: 1 }))?.hasAuthority, true);
  });

  it('Without metadata a token is named by its mint', () => {
    const facts = read(mintData());
    assert.deepEqual([facts?.symbol, facts?.name, facts?.logo], [MINT.slice(0, 6), MINT, undefined]);
  });

  it('Metaplex metadata names a token, without the zeros that fill it up', () => {
    const facts = read(mintData(), metaplex('Bonq Coin', 'BONQ'));
    assert.deepEqual([facts?.name, facts?.symbol], ['Bonq Coin', 'BONQ']);
  });

  it('Metadata of another mint or another program, or cut short, is not used', () => {
    const whole = metaplex('Bonq Coin', 'BONQ');
    const others = [
      metaplex('Bonq Coin', 'BONQ', address(mintOf(2))),
      { ...whole, program: PROGRAMS.system },
      ...[0, 1, 40, 64, 66, 70, 105].map((bytes) => ({ ...whole, data: whole.data.subarray(0, bytes) })),
    ];
    for (const [place, other] of others.entries()) {
      assert.equal(read(mintData(), other)?.symbol, MINT.slice(0, 6), String(place));
    }
  });

  it('Texts are shortened, on one line and without links', () => {
    const facts = read(mintData(), metaplex('x'.repeat(3_000), 'A\n\u202e[B](command:x)'));
    assert.equal(facts?.name.length, 60);
    assert.match(facts.symbol, /^A \[B\] \(command\[:\]/);
    assert.ok(Array.from(facts.symbol).length <= 20);
  });

  it('A mint of Token-2022 is named by its own metadata; metadata that is cut short is not used', () => {
    const data = withExtensions([
      { type: 1, data: Buffer.alloc(108) },
      { type: METADATA_EXTENSION, data: texts('Toll', 'TOLL') },
    ]);
    assert.equal(read(data, undefined, PROGRAMS.token2022)?.symbol, 'TOLL');
    for (const bytes of [170, 278, 282, 320]) {
      assert.equal(read(data.subarray(0, bytes), undefined, PROGRAMS.token2022)?.symbol, MINT.slice(0, 6), String(bytes));
    }
  });

  it('USDC is called USDC, whatever its metadata says', () => {
    const facts = mintFacts(USDC_MINT, { program: PROGRAMS.token, data: mintData() }, metaplex('Scam', 'SCAM', USDC_MINT));
    assert.deepEqual([facts?.symbol, facts?.name], ['USDC', 'USD Coin']);
  });

  it('Accounts that are no mints are not read as mints', () => {
    const tokenAccount = withExtensions([], 2);
    assert.equal(read(tokenAccount, undefined, PROGRAMS.token2022), undefined);
    assert.equal(read(Buffer.alloc(165), undefined, PROGRAMS.token), undefined);
    assert.equal(read(mintData({ isInitialized: 0 })), undefined);
    assert.equal(read(mintData(), undefined, PROGRAMS.system), undefined);
    assert.equal(read(Buffer.alloc(0)), undefined);
  });
});

function read(
  data: Buffer,
  metadata?: { readonly program: Address; readonly data: Buffer },
  program: Address = PROGRAMS.token,
): MintFacts | undefined {
  return mintFacts(MINT, { program, data }, metadata);
}

function mintData({ mintAuthority = 0, freezeAuthority = 0, isInitialized = 1 } = {}): Buffer {
  const data = Buffer.alloc(82);
  data.writeUInt32LE(mintAuthority, 0);
  data.writeBigUInt64LE(1_000n, 36);
  data.writeUInt8(6, 44);
  data.writeUInt8(isInitialized, 45);
  data.writeUInt32LE(freezeAuthority, 46);
  return data;
}

/** A mint of Token-2022; account type 2 is a token account. */
function withExtensions(extensions: readonly { readonly type: number; readonly data: Buffer }[], accountType = 1): Buffer {
  const list = extensions.map(({ type, data }) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(type, 0);
    head.writeUInt16LE(data.length, 2);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([mintData(), Buffer.alloc(165 - 82), Buffer.from([accountType]), ...list]);
}

/** Authority, mint, name, symbol and an empty address, as both kinds of metadata have them. */
function texts(name: string, symbol: string, mint: Address = MINT): Buffer {
  return Buffer.concat([Buffer.alloc(32, 1), addressBytes(mint), text(name), text(symbol), text('')]);
}

function metaplex(name: string, symbol: string, mint: Address = MINT): { readonly program: Address; readonly data: Buffer } {
  return { program: METAPLEX, data: Buffer.concat([Buffer.from([4]), texts(name.padEnd(32, '\0'), symbol.padEnd(10, '\0'), mint)]) };
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
