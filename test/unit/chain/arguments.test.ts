import assert from 'node:assert/strict';
import { HELP, readArguments } from '../../../src/chain/arguments';
import { ArgumentError } from '../../../src/engine/process/commandLine';

const RPC = 'https://rpc.example/f00dfacecafe1234';
const KEY = 'f00dfacecafe1234';

function refusal(args: readonly string[], environment: NodeJS.ProcessEnv = {}): string {
  try {
    readArguments(args, environment);
  } catch (error) {
    assert.ok(error instanceof ArgumentError, String(error));
    return error.message;
  }
  return assert.fail(`accepted: ${args.join(' ')}`);
}

describe('The command line of the local service', () => {
  it('Only the RPC is needed: Meteora and Jupiter are asked by default, and no block engine', () => {
    assert.deepEqual(readArguments(['--rpc', RPC], {}), {
      rpc: RPC,
      port: 0,
      data: '.service',
      apiKey: undefined,
      dataApi: 'https://dlmm.datapi.meteora.ag',
      dammDataApi: 'https://damm-v2.datapi.meteora.ag',
      discoveryApi: 'https://pool-discovery-api.datapi.meteora.ag',
      priceApi: 'https://api.jup.ag/price/v3',
      swapApi: 'https://api.jup.ag/swap/v1',
      jito: undefined,
      jupiterKey: undefined,
      tipLamports: 10_000n,
      transactions: 'service',
      requestsPerSecond: 8,
      leaseSeconds: undefined,
    });
  });

  it('All options can be given as arguments', () => {
    const services = ['--data-api', 'none', '--price-api', 'none', '--swap-api', 'none', '--jito', 'https://engine.example/?uuid=7'];
    const rest = ['--port', '4000', '--data', 'd', '--api-key', 'k', '--rpc-rps', '0.5', '--transactions', 'v1', '--tip-lamports', '2000'];
    assert.deepEqual(readArguments(['--rpc', RPC, ...services, ...rest, '--lease', '--lease-seconds', '3'], {}), {
      rpc: RPC,
      port: 4_000,
      data: 'd',
      apiKey: 'k',
      dataApi: undefined,
      dammDataApi: undefined,
      discoveryApi: undefined,
      priceApi: undefined,
      swapApi: undefined,
      jito: 'https://engine.example/?uuid=7',
      jupiterKey: undefined,
      tipLamports: 2_000n,
      transactions: 'v1',
      requestsPerSecond: 0.5,
      leaseSeconds: 3,
    });
  });

  it('Another data API, or none, for DLMM also ends the requests about DAMM v2 and to pool discovery, unless an address is given', () => {
    assert.equal(readArguments(['--rpc', RPC, '--data-api', 'none'], {})?.discoveryApi, undefined);
    const dammOf = (...args: readonly string[]): string | undefined => readArguments(['--rpc', RPC, ...args], {})?.dammDataApi;
    assert.equal(dammOf('--data-api', 'https://dlmm.datapi.meteora.ag/'), 'https://damm-v2.datapi.meteora.ag');
    assert.deepEqual([dammOf('--data-api', 'none'), dammOf('--data-api', 'https://data.example')], [undefined, undefined]);
    assert.equal(dammOf('--data-api', 'none', '--damm-data-api', 'https://damm.example'), 'https://damm.example');
    assert.equal(dammOf('--damm-data-api', 'none'), undefined);
  });

  it('The key for Jupiter comes from the environment only, and an error does not quote it', () => {
    assert.equal(readArguments(['--rpc', RPC], { BINSIGHT_JUPITER_API_KEY: KEY })?.jupiterKey, KEY);
    assert.match(refusal(['--rpc', RPC, '--jupiter-key', KEY]), /Unknown option/);
    const message = refusal(['--rpc', RPC], { BINSIGHT_JUPITER_API_KEY: `${KEY}\r\nhost: example` });
    assert.match(message, /BINSIGHT_JUPITER_API_KEY is not a key/);
    assert.doesNotMatch(message, new RegExp(KEY));
  });

  it('Everything that may contain a key can be an environment variable, which other users can’t read; arguments have precedence', () => {
    const environment = {
      BINSIGHT_RPC_URL: RPC,
      BINSIGHT_API_KEY: KEY,
      BINSIGHT_DATA_API_URL: 'https://data.example',
      BINSIGHT_DAMM_DATA_API_URL: 'https://damm.example',
      BINSIGHT_DISCOVERY_API_URL: 'https://discovery.example',
      BINSIGHT_PRICE_API_URL: `https://prices.example/?key=${KEY}`,
      BINSIGHT_SWAP_API_URL: `https://swaps.example/${KEY}`,
      BINSIGHT_JITO_URL: `https://engine.example/?uuid=${KEY}`,
    };
    const options = readArguments([], environment);
    assert.deepEqual(
      [
        options?.rpc,
        options?.apiKey,
        options?.dataApi,
        options?.dammDataApi,
        options?.discoveryApi,
        options?.priceApi,
        options?.swapApi,
        options?.jito,
      ],
      Object.values(environment),
    );
    const given = readArguments(['--rpc', 'https://other.example/', '--jito', 'none'], environment);
    assert.deepEqual([given?.rpc, given?.jito, given?.apiKey], ['https://other.example/', undefined, KEY]);
    assert.equal(readArguments([], { BINSIGHT_RPC_URL: RPC, BINSIGHT_API_KEY: '' })?.apiKey, undefined, 'an empty variable is none');
  });

  for (const [args, message] of [
    [[], /--rpc or the environment variable BINSIGHT_RPC_URL must be the address of a Solana RPC/],
    [['--rpc', `http://rpc.example/${KEY}`], /https/],
    [['--rpc', RPC, '--price-api', `http://prices.example/${KEY}`], /--price-api must be an https address/],
    [['--rpc', RPC, '--jito', `https://user:${KEY}@engine.example`], /--jito must not contain a user name or a password/],
    [['--rpc', RPC, '--swap-api', `https://swaps.example/?key=${KEY}`], /--swap-api must be an address without a query/],
    [['--rpc', RPC, '--data-api', `https://data.example/?key=${KEY}`], /--data-api must be an address without a query/],
    [['--rpc', RPC, '--damm-data-api', `http://data.example/${KEY}`], /--damm-data-api must be an https address/],
    [['--rpc', RPC, '--data-api', ''], /--data-api must be an https address, or "none"/],
    [[`https://rpc.example/${KEY}`], /An argument belongs to no option/],
    [[`--rcp=https://rpc.example/${KEY}`], /Unknown option '--rcp'/],
    [[`--lease=${KEY}`, '--rpc', RPC], /--lease/],
    [['--rpc', RPC, '--api-key', `${KEY} `], /--api-key must be 1 to 200 printable ASCII characters/],
    [['--rpc', RPC, '--data', ''], /--data must be a folder/],
    [['--rpc', RPC, '--port', '65536'], /--port must be a whole number from 0 to 65535/],
    [['--rpc', RPC, '--rpc-rps', '0'], /--rpc-rps must be a number from 0.1 to 1000/],
    [['--rpc', RPC, '--tip-lamports', '999'], /--tip-lamports must be a whole number from 1000/],
  ] as const) {
    it(`Wrong arguments are refused without quoting a key: ${message.source}`, () => {
      const text = refusal(args);
      assert.match(text, message);
      assert.ok(!text.includes(KEY), text);
    });
  }

  it('The help names each option and each variable', () => {
    assert.equal(readArguments(['--help'], {}), undefined);
    for (const option of [
      'rpc',
      'port',
      'data',
      'api-key',
      'data-api',
      'damm-data-api',
      'discovery-api',
      'price-api',
      'swap-api',
      'jito',
      'rpc-rps',
    ]) {
      assert.ok(HELP.includes(`\n  --${option} `), option);
    }
    for (const variable of ['RPC_URL', 'API_KEY', 'DATA_API_URL', 'DAMM_DATA_API_URL', 'PRICE_API_URL', 'SWAP_API_URL', 'JITO_URL']) {
      assert.ok(HELP.includes(`BINSIGHT_${variable}`), variable);
    }
  });
});
