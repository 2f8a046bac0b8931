import { useState } from 'react'
import { useTexts } from '../lib/texts/texts.ts'
import { Note } from '../ui/state.tsx'
import { errorTexts, normalCode } from './error.texts.ts'

/** What went wrong at a provider, on the screen from which somebody went there: `?error=`. Its ways are open still. */
export default function ReturnedError() {
  const t = useTexts(errorTexts)
  const [code] = useState(() => new URLSearchParams(location.search).get('error') ?? '')
  return (
    <Note tone={normalCode(code) === 'access_denied' ? 'warning' : 'danger'} live>
      {t.sentences[normalCode(code)] ?? t.unknown}
    </Note>
  )
}
