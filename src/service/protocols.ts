/** The service's names of the pool types. */
export const PROTOCOL_OF = { dlmm: 'meteora', dammV2: 'meteora_damm_v2' } as const;
