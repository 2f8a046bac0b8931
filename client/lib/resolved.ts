/** A promise that React's `use` reads at once. */
export const resolved = <Value>(value: Value): Promise<Value> =>
  Object.assign(Promise.resolve(value), { status: 'fulfilled', value })
