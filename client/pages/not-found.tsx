import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Sheet } from '../ui/page.tsx'

const texts = defineTexts('notFound', {
  title: 'This page does not exist',
  intro: 'The address may be mistyped, or the page has moved.',
})

export default function NotFound() {
  const t = useTexts(texts)
  return (
    <Sheet title={t.title} intro={t.intro}>
      <ButtonLink to="/" look="primary" wide>
        {t.home}
      </ButtonLink>
    </Sheet>
  )
}
