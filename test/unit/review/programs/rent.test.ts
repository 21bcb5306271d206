import assert from 'node:assert/strict';
import { ComputeBudgetProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../../src/base/solana/address';
import { dammPosition, dammPositionNftAccount, dlmmBinArray } from '../../../../src/base/solana/pda';
import { RentRate } from '../../../../src/base/solana/rent';
import { dlmm, openPosition, OWNER, OWNER_KEY, POSITION, POSITION_KEY } from '../../../support/review/bundles';
import { createDamm, NFT_KEY, NFT_MINT } from '../../../support/review/meteoraDrafts';
import { IN_DAMM_POOL, makeDammPool } from '../../../support/review/programs/dammPool';
import { DLMM_POOL, IN_POOL, makeDlmmPool } from '../../../support/review/programs/dlmmPool';
import { describeOnPrograms } from '../../../support/programs';
import { ProgramVm } from '../../../support/review/programs/programVm';

describeOnPrograms("review: rent of the accounts that Meteora's own programs create", function () {
  this.timeout(60_000);
  for (const perByte of [6_960n, 5_080n, 2_575n]) {
    it(`Every account holds exactly the rent that is counted for it at ${perByte} lamports a byte`, () => {
      const rent = RentRate.ofLamportsPerByte(perByte);
      const vm = new ProgramVm(undefined, undefined, perByte);
      makeDlmmPool(vm);
      makeDammPool(vm);
      vm.fund(OWNER);
      const send = (instruction: TransactionInstruction, ...signers: Parameters<ProgramVm['send']>[1]): void => {
        const { error, logs } = vm.send(
          [ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }), instruction],
          [OWNER_KEY, ...signers],
        );
        assert.equal(error, undefined, logs.join('\n'));
      };
      const lamportsOf = (at: Address): bigint | undefined => vm.account(at)?.lamports;

      send(openPosition({}, IN_POOL), POSITION_KEY);
      assert.equal(lamportsOf(POSITION), rent.position);
      // From 40 to 80 bins: the first 70 are included.
      send(dlmm('increase_position_length2', { minimum_upper_bin_id: 59 }, IN_POOL));
      assert.equal(lamportsOf(POSITION), rent.positionOf(80));
      assert.equal(rent.positionOf(80), rent.position + 10n * rent.positionPerBinAbove70);
      assert.equal(lamportsOf(dlmmBinArray(DLMM_POOL, 0)), rent.binArray);

      send(createDamm(IN_DAMM_POOL), NFT_KEY);
      assert.equal(lamportsOf(dammPosition(NFT_MINT)), rent.productPosition);
      assert.equal(lamportsOf(NFT_MINT), rent.productNftMint);
      assert.equal(lamportsOf(dammPositionNftAccount(NFT_MINT)), rent.productNftAccount);
    });
  }
});
