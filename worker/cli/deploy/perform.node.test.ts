import { expect, it } from 'vitest'
import { CliError } from '../cli-error.ts'
import { type Manner, performSteps, type Step } from './perform.ts'

/** Steps over a set of things that exist. */
function world() {
  const exists = new Set<string>()
  const made: string[] = []
  let broken = ''
  const step = (name: string): Step => ({
    name,
    look: async () =>
      exists.has(name)
        ? { done: 'exists' }
        : {
            plan: `make ${name}`,
            run: async () => {
              if (broken === name) throw new CliError('no space', 'buy a disk')
              made.push(name)
              exists.add(name)
              return 'made'
            },
          },
  })
  const lines: string[] = []
  const manner: Manner = {
    dryRun: false,
    agree: async () => true,
    print: (line) => lines.push(line),
    again: 'npx gatehouse-auth deploy',
  }
  return { steps: ['a', 'b', 'c'].map(step), made, lines, manner, exists, fails: (name: string) => (broken = name) }
}

it('does what is missing, in order, and nothing twice', async () => {
  const { steps, made, lines, manner, exists } = world()
  exists.add('b')
  expect(await performSteps(steps, manner)).toBe(true)
  expect(await performSteps(steps, manner)).toBe(true)
  expect(made).toEqual(['a', 'c'])
  expect(lines.slice(0, 3)).toEqual(['done     a: made', 'done     b: exists', 'done     c: made'])
})

it('a dry run does nothing', async () => {
  const { steps, made, lines, manner } = world()
  const agree = () => expect.unreachable()
  expect(await performSteps(steps, { ...manner, agree, dryRun: true })).toBe(true)
  expect(made).toEqual([])
  expect(lines).toEqual(['would    a: make a', 'would    b: make b', 'would    c: make c'])
})

it('asks before each, and stops at the first refusal', async () => {
  const { steps, made, lines, manner } = world()
  const asked: string[] = []
  const agree = async (question: string) => asked.push(question) < 2
  expect(await performSteps(steps, { ...manner, agree })).toBe(false)
  expect(asked).toEqual(['a: make a?', 'b: make b?'])
  expect(made).toEqual(['a'])
  expect(lines.at(-1)).toBe('stopped  b\nNext: npx gatehouse-auth deploy goes on here')
})

it('a failure says what to do, and the next run goes on there', async () => {
  const { steps, made, manner, fails } = world()
  fails('b')
  const failure = await performSteps(steps, manner).catch((thrown: CliError) => thrown)
  expect(failure).toMatchObject({
    message: 'failed   b: no space',
    next: 'buy a disk; then npx gatehouse-auth deploy goes on here',
  })
  fails('')
  expect(await performSteps(steps, manner)).toBe(true)
  expect(made).toEqual(['a', 'b', 'c'])
})
