/** A schema of OpenAPI 3.0, as far as the published contract uses them. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly items?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema;
}

/** Fields that the contract itself says are not always there: of copied positions, and of DLMM pools only. */
const SOMETIMES: ReadonlySet<string> = new Set(['followInfo', 'liquidityViz', 'activeBin']);

/**
 * An answer's schema as JSON Schema (draft 7): nullable types become two, and every field that is named has to be there,
 * since the contract names none as required and yet its clients read them. Others may stand beside them.
 */
export function jsonSchemaOf(schema: OpenApiSchema): Record<string, unknown> {
  const { type, nullable, format, minimum, maximum, items, properties, additionalProperties } = schema;
  return {
    ...(type === undefined ? {} : { type: nullable === true ? [type, 'null'] : type }),
    ...(format === undefined ? {} : { format }),
    ...(schema.enum === undefined ? {} : { enum: schema.enum }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(items === undefined ? {} : { items: jsonSchemaOf(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: jsonSchemaOf(additionalProperties) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, jsonSchemaOf(field)])),
          required: Object.keys(properties).filter((name) => !SOMETIMES.has(name)),
        }),
  };
}
