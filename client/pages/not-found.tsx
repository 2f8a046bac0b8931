import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Sheet } from '../ui/page.tsx'

const texts = defineTexts(
  { title: 'This page does not exist', intro: 'The address may be mistyped, or the page has moved.' },
  {
    title: 'Diese Seite gibt es nicht',
    intro: 'Vielleicht enthält die Adresse einen Tippfehler, oder die Seite ist umgezogen.',
  },
)

export default function NotFound() {
  const t = useTexts(texts)
  const { home } = useTexts()
  return (
    <Sheet title={t.title} intro={t.intro}>
      <ButtonLink to="/" look="primary" wide>
        {home}
      </ButtonLink>
    </Sheet>
  )
}
