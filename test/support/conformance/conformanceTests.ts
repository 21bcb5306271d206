import { testClaimEndpoints } from './claimTests';
import { ContractClient } from './contractClient';
import { testDepositEndpoint } from './depositTests';
import type { EngineUnderTest } from './engine';
import { testOwnerEndpoints } from './ownerTests';
import { testParameters } from './parameterTests';
import { testSwapEndpoints } from './swapTests';
import { testPoolEndpoints } from './poolTests';
import { testTransactionEndpoints } from './transactionTests';

/** The tests that every engine has to pass. Call it in a `describe`. @param engine gives the engine that runs to a test */
export function testConformance(engine: () => EngineUnderTest): void {
  const service = new ContractClient(engine);
  describe('Positions, results and balances', () => testOwnerEndpoints(service));
  describe('Pools', () => testPoolEndpoints(service));
  describe('Withdrawals and entries', () => testTransactionEndpoints(service));
  describe('Claims of fees', () => testClaimEndpoints(service));
  describe('Deposits into open positions', () => testDepositEndpoint(service));
  describe('Swaps of tokens of a wallet', () => testSwapEndpoints(service));
  describe('Parameters and the key', () => testParameters(service));
}
