import { describe, expect, it } from 'vitest'
import { validate } from '../http/body.ts'
import { inputsOf } from '../testing/input-schemas.ts'
import { nodesOf } from '../testing/schema-bounds.ts'

/** The work that the validation of one input can take is bounded, because every part of every schema is. */

const inputs = (await inputsOf()).filter(({ part }) => part !== 'options' && part !== 'raw')
const nodes = inputs.flatMap(({ where, schema }) =>
  nodesOf(schema)
    .filter(({ isDerived }) => !isDerived)
    .map((node) => ({ where, whole: schema, ...node })),
)

describe('the schema of every input', () => {
  it('bounds each text, list and record', () => {
    const sized = nodes.filter(({ type }) => ['string', 'array', 'record'].includes(type))
    expect(sized.length).toBeGreaterThan(500)
    const unbounded = sized
      .filter(({ max }) => max === undefined)
      .map(({ where, path, type }) => `${where}${path}: ${type}`)
    expect([...new Set(unbounded)]).toEqual([])
  })

  it('bounds each number', () => {
    const numbers = nodes.filter(({ type }) => type === 'number')
    expect(numbers.length).toBeGreaterThan(50)
    const unbounded = numbers.filter(({ range }) => range.min === undefined || range.max === undefined)
    expect(unbounded.map(({ where, path }) => `${where}${path}`)).toEqual([])
  })

  it('is not applied to a text that is too long: no pattern runs on it', () => {
    const texts = nodes.filter(({ type, max }) => type === 'string' && max !== undefined)
    const wrong: string[] = []
    for (const { where, whole, path, place, max = 0 } of texts) {
      // Of a union, the largest option decides.
      const own = texts.filter((other) => other.where === where && other.path === path).map((other) => other.max!)
      const most = Math.max(max, ...own)
      const { message, maxLength } = watched(() => validate(whole, place('!'.repeat(most + 1)), 'body'))
      if (!message.includes('Too big') || maxLength > most) wrong.push(`${where}${path}: ${message} (${maxLength})`)
    }
    expect(texts.length).toBeGreaterThan(500)
    expect(wrong).toEqual([])
  })
})

/** What an action throws, and the length of the largest text on which it runs a pattern. */
function watched(act: () => unknown): { message: string; maxLength: number } {
  let maxLength = 0
  const { exec } = RegExp.prototype
  // zod counts code points with it.
  const ofLengths = '[\\uD800-\\uDBFF]'
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    if (this.source !== ofLengths) maxLength = Math.max(maxLength, text.length)
    return exec.call(this, text)
  }
  try {
    act()
    return { message: 'accepted', maxLength }
  } catch (thrown) {
    return { message: (thrown as Error).message, maxLength }
  } finally {
    RegExp.prototype.exec = exec
  }
}
