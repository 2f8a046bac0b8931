import { expect, it } from 'vitest'
import { hasWords } from './has-words.ts'

it('finds words in any order, without accents and upper case', () => {
  const text = 'Équipe créée Organisations'
  expect(['', '  ', 'équipe', 'EQUIPE cree', 'org equ'].map((typed) => hasWords(typed, text))).toEqual(
    Array(5).fill(true),
  )
  expect(['équipes', 'equipe supprimee'].map((typed) => hasWords(typed, text))).toEqual([false, false])
})
