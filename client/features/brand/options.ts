export type Value = string | boolean | string[] | null | { [name: string]: Value }
export type Brand = { [name: string]: Value }

/** The options of `brand`: those in force and the defaults. */
export interface Options {
  current: Brand
  defaults: Brand
}

export const isObject = (value: Value | undefined): value is Brand =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isColour = (value: Value | undefined): value is string =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

export interface Part {
  brand: Brand
  set(name: string, value: Value): void
}

export const at = (brand: Brand, name: string): Value | undefined =>
  name.split('.').reduce<Value | undefined>((value, part) => (isObject(value) ? value[part] : undefined), brand)
