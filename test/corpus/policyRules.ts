/** The rules of the review policy, in its order. Each has an attack in the corpus that it answers. */
export const POLICY_RULES = [
  'DEC-1', 'DEC-2', 'DEC-3', 'DEC-4', 'DEC-5', 'DEC-6', 'DEC-7',
  'ALT-1', 'ALT-2', 'ALT-3', 'ALT-4',
  'PAY-1', 'SIG-1', 'SIG-2', 'SIG-3', 'SIG-4',
  'NON-1', 'NON-2', 'NON-3',
  'PRG-1', 'PRG-2', 'PRG-3', 'PRG-4', 'LGT-1', 'MEM-1',
  'SYS-1', 'SYS-2', 'SYS-3', 'SYS-4', 'SYS-5', 'TIP-1', 'TIP-2',
  'TOK-1', 'TOK-2', 'TOK-3', 'TOK-4', 'TOK-5', 'TOK-6', 'TOK-7', 'TOK-8', 'ATA-1', 'MINT-1', 'OWN-1',
  'FEE-1', 'FEE-2',
  'DLMM-0', 'DLMM-1', 'DLMM-2', 'DLMM-3', 'DLMM-4', 'DLMM-5', 'DLMM-6', 'DLMM-7', 'DLMM-8', 'DLMM-9', 'DLMM-10',
  'DAMM-1', 'DAMM-2', 'DAMM-3', 'DAMM-4', 'DAMM-5', 'DAMM-6',
  'ZAP-1', 'ZAP-2',
  'SWP-0', 'SWP-1', 'SWP-2', 'SWP-3', 'SWP-4', 'SWP-5', 'SWP-6', 'SWP-7', 'SWP-8', 'SWP-9',
  'LIM-1', 'LIM-2', 'LIM-3', 'RNT-1', 'WRP-1',
  'BND-1', 'BND-2', 'BND-3', 'BND-4', 'BND-5',
  'SIM-1', 'SIM-2', 'SIM-3', 'SIM-4', 'SIM-5',
  'SGN',
] as const;

/** The policy's name of a rule. */
export type PolicyRule = (typeof POLICY_RULES)[number];
