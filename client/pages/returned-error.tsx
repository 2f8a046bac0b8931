import { useState } from 'react'
import { useSearch } from 'wouter'
import { normalCode } from '../../worker/kit/error-sentences.ts'
import { Note } from '../ui/state.tsx'
import { useErrorSentence } from './error-sentence.ts'

/** The error of a provider (`?error=`), on the screen from which the user went there. */
export default function ReturnedError() {
  const search = useSearch()
  const [code] = useState(() => new URLSearchParams(search).get('error') ?? '')
  const sentence = useErrorSentence(code)
  return (
    <Note tone={normalCode(code) === 'access_denied' ? 'warning' : 'danger'} live>
      {sentence}
    </Note>
  )
}
