import type { OpenApiSchema } from './jsonSchema';
import published from './publishedContract.json';

/** One endpoint of the published contract. */
export interface ContractOperation {
  readonly method: string;
  /** With placeholders: "/pools/{poolId}/info". */
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: OpenApiSchema;
  }[];
  readonly body?: OpenApiSchema;
  /** By status; `null`: an answer that is not described. */
  readonly responses: Readonly<Record<string, OpenApiSchema | null>>;
}

/** All endpoints of the published contract: see `source` in publishedContract.json. */
export const CONTRACT_OPERATIONS: readonly ContractOperation[] = Object.entries(published.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    ...(operation as Omit<ContractOperation, 'method' | 'path'>),
  })),
);

/** The endpoint of the contract that a path belongs to. */
export function operationAt(method: string, path: string): ContractOperation | undefined {
  const [bare = ''] = path.split('?');
  const parts = bare.split('/');
  const fits = (template: string): boolean => {
    const wanted = template.split('/');
    return wanted.length === parts.length && wanted.every((part, place) => part.startsWith('{') || part === parts[place]);
  };
  const candidates = CONTRACT_OPERATIONS.filter((operation) => operation.method === method && fits(operation.path));
  return candidates.find((operation) => !operation.path.includes('{')) ?? candidates[0];
}
