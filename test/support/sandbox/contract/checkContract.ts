import assert from 'node:assert/strict';
import { Ajv, type ValidateFunction } from 'ajv';
import { jsonSchemaOf, type OpenApiSchema } from './jsonSchema';
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

/** What every failure looks like, where the contract shows one. */
const FAILURE: OpenApiSchema = { type: 'object', properties: { status: { type: 'string', enum: ['error'] }, message: { type: 'string' } } };

/** Statuses that any endpoint may answer beside those of the contract: wrong parameters, no key, nothing there, bundle not landed, too many requests. */
const ELSEWHERE: ReadonlySet<number> = new Set([400, 401, 404, 422, 429]);

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
});
const validators = new Map(
  CONTRACT_OPERATIONS.flatMap((operation) =>
    Object.keys(operation.responses).map((status) => [keyOf(operation, status), validatorOf(operation, status)]),
  ),
);

/**
 * Checks an answer against the published contract. `path`: from the base path on, with or without a query.
 * @param options.isUnknownNull a service over a chain says null where it does not know a figure
 * @throws AssertionError that says what does not fit.
 */
export function checkContract(method: string, path: string, status: number, body: unknown, { isUnknownNull = false } = {}): void {
  const operation = operationAt(method, path);
  assert.ok(operation, `The contract has no ${method} ${path}`);
  const isDocumented = String(status) in operation.responses;
  assert.ok(isDocumented || ELSEWHERE.has(status), `${method} ${operation.path} answers ${status}, which is not in the contract`);
  const validate = validators.get(keyOf(operation, String(status))) ?? ajv.compile(jsonSchemaOf(FAILURE));
  const isValid = validate(body);
  const errors = (validate.errors ?? []).filter(({ data }) => !isUnknownNull || data !== null);
  assert.ok(
    isValid || errors.length === 0,
    `${method} ${path} answers ${status} with what does not fit the contract:\n${ajv.errorsText(errors, { separator: '\n' })}\n${JSON.stringify(body).slice(0, 600)}`,
  );
}

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

function validatorOf({ responses }: ContractOperation, status: string): ValidateFunction {
  return ajv.compile(jsonSchemaOf(responses[status] ?? (status === '200' ? {} : FAILURE)));
}

function keyOf({ method, path }: ContractOperation, status: string): string {
  return `${method} ${path} ${status}`;
}
