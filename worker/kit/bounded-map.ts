/** A cache in the memory of an isolate: beyond its maximum it forgets the oldest entry. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  /** A key that is set again becomes the newest. */
  override set(key: K, value: V): this {
    this.delete(key)
    if (this.size >= this.#max) this.delete(this.keys().next().value!)
    return super.set(key, value)
  }
}
