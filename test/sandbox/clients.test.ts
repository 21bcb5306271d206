import assert from 'node:assert/strict';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { testClients } from '../support/conformance/clients/clientTests';
import { useSandbox } from '../support/sandbox/useSandbox';

describe('Clients written for the public service, on the sandbox', function () {
  const client = useSandbox('each', { hasShortPast: true });

  testClients(async () => {
    await client().control('pause');
    const { url, apiKey, secretKey } = client().sandbox;
    return {
      access: { baseUrl: url, apiKey, wallet: Keypair.fromSecretKey(bs58.decode(secretKey)) },
      leastPools: 30,
      knowsAllProviders: true,
      pushOutOfRange: async () => {
        const [position] = await client().binPositions();
        assert.ok(position);
        if (position.inRange) {
          await client().control('active-bin', { pool: position.pool, binId: position.tickUpper + 5 });
        }
      },
      audit: () => client().audit(),
    };
  });
});
