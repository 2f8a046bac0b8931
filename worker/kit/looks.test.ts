import { expect, it } from 'vitest'
import { declarationProblem } from './elements.ts'
import { lookNames, looks, pairsOf } from './looks.ts'

it.each(lookNames)('the look %s can be read in both themes (WCAG 2.2, AA)', (name) => {
  const pairs = pairsOf(looks[name].colours)
  expect(pairs).toHaveLength(2 * (3 * 7 + 5))
  expect(pairs.filter(({ ratio, minimum }) => ratio < minimum)).toEqual([])
})

it('the look clear has texts of 7:1', () => {
  const texts = pairsOf(looks.clear.colours).filter(({ of }) => of === 'text' || of === 'mutedText')
  expect(Math.min(...texts.map(({ ratio }) => ratio))).toBeGreaterThanOrEqual(7)
})

it.each(lookNames)('the look %s has declarations that the configuration allows', (name) => {
  for (const declarations of Object.values(looks[name].elements)) expect(declarationProblem(declarations)).toBeNull()
})

it.each([
  [{ color: 'red', ':hover': { color: 'blue' } }, null],
  [{ '--gap': '1rem' }, null],
  [{ ':hover': { ':focus': { color: 'red' } } }, ':focus'],
  [{ 'a:b': 'c' }, 'a:b'],
  [{ color: '' }, 'color: '],
  [{ color: 'red; x: y' }, 'color: red; x: y'],
  [{ background: 'url(/x)' }, 'background: url(/x)'],
  [{ color: '</style>' }, 'color: </style>'],
  [{ '.other': { color: 'red' } }, '.other'],
])('declarations %j: %s', (declarations, problem) => {
  expect(declarationProblem(declarations as never)).toBe(problem)
})
