import assert from 'node:assert/strict';
import { parseRpcUrl, rpcName, RpcUrlError, secretsOf } from '../../../../src/base/solana/rpcUrl';

const KEY = 'f00dfacecafe1234';

/** Why a text is refused. */
function refusal(text: string): string {
  try {
    parseRpcUrl(text);
  } catch (error) {
    assert.ok(error instanceof RpcUrlError);
    return error.message;
  }
  return assert.fail(`${text} was taken`);
}

describe('RPC address', () => {
  for (const [text, url] of [
    ['https://api.mainnet-beta.solana.com', 'https://api.mainnet-beta.solana.com/'],
    [`  https://rpc.example/?api-key=${KEY} `, `https://rpc.example/?api-key=${KEY}`],
    [`https://rpc.example/v2/${KEY}/`, `https://rpc.example/v2/${KEY}/`],
    [`https://me:${KEY}@rpc.example:8443/x`, `https://me:${KEY}@rpc.example:8443/x`],
    ['http://127.0.0.1:8899', 'http://127.0.0.1:8899/'],
    ['http://localhost:8899/rpc', 'http://localhost:8899/rpc'],
    ['http://[::1]:8899', 'http://[::1]:8899/'],
  ] as const) {
    it(`An address is accepted unchanged: ${text.trim().slice(0, 34)}`, () => {
      assert.equal(parseRpcUrl(text), url);
    });
  }

  for (const [text, words] of [
    ['', /^Enter a complete address, such as https:/],
    ['rpc.example', /^Enter a complete address, such as https:/],
    [`rpc.example/${KEY}`, /^Enter a complete address, such as https:/],
    [`wss://rpc.example/${KEY}`, /^Enter a complete address/],
    [`ftp://rpc.example/${KEY}`, /^Enter a complete address/],
    [`http://rpc.example/?api-key=${KEY}`, /must start with https:\/\/\. Only a program on this machine/],
    [`http://me:${KEY}@rpc.example/`, /must start with https:/],
    [`http://127.0.0.1.rpc.example/${KEY}`, /must start with https:/],
    [`https://rpc.example/#${KEY}`, /must not contain “#”/],
  ] as const) {
    it(`An invalid address is refused with a reason that contains no key: ${text.slice(0, 24)}`, () => {
      assert.match(refusal(text), words);
      assert.ok(!refusal(text).includes(KEY));
    });
  }

  it('The name of an RPC address is only its host and port', () => {
    assert.equal(rpcName(parseRpcUrl(`https://me:${KEY}@rpc.example:8443/v2/${KEY}?k=${KEY}`)), 'rpc.example:8443');
  });

  it('The secrets of an address are its user info, path and query, encoded and decoded', () => {
    const secrets = secretsOf(parseRpcUrl('https://longuser1:p%C3%A4ssword@rpc.example/v2/pathkey-1234/short?api-key=querykey-5678'));
    for (const part of ['longuser1', 'p%C3%A4ssword', 'pässword', 'pathkey-1234', 'querykey-5678']) {
      assert.ok(secrets.includes(part), part);
    }
    assert.ok(!secrets.includes('short'));
    assert.deepEqual(secretsOf(parseRpcUrl('https://rpc.example')), []);
  });
});
