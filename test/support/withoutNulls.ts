/** A record without nulls. Records have null where a service does not know a figure; the sandbox knows all of them. */
export type WithoutNulls<Value> = Value extends object
  ? { readonly [Field in keyof Value]: WithoutNulls<Value[Field]> }
  : Exclude<Value, null>;
