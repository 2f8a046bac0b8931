import { defineTexts } from '../../lib/texts/define.ts'

export const brandTexts = defineTexts('brand', {
  title: 'Brand',
  intro:
    'Try a look on the screens and mails. Copy the result into the configuration; nothing changes before it is deployed.',
})
