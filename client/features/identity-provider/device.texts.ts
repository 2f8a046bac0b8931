import { defineTexts } from '../../lib/texts/texts.ts'

export const deviceTexts = defineTexts('deviceRequest', {
  yours: 'Only continue if you started this yourself, on a device in front of you.',
  from: 'The request came from {place}.',
})
