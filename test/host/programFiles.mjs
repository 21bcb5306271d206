/**
 * Builds of the real programs, by the names of their files. They are not part of this repository: tests look for them in the folder that
 * BINSIGHT_PROGRAMS names, in test/.programs, where `npm run programs` writes them, and in ../shared/programs.
 */
export const PROGRAM_FILES = [
  { program: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo', file: 'lb_clmm.so' },
  { program: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG', file: 'cp_amm.so' },
  { program: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', file: 'jup_v6.so' },
  { program: 'zapvX9M3uf5pvy4wRPAbQgdQsM1xmuiFnkfHKPvwMiz', file: 'zap.so' },
];
