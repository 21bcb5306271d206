/**
 * A wire record without nulls. Records allow null where an engine may not know a figure; one that knows everything, as the sandbox does, says so
 * with this type.
 */
export type WithoutNulls<Value> = Value extends object
  ? { readonly [Field in keyof Value]: WithoutNulls<Value[Field]> }
  : Exclude<Value, null>;
