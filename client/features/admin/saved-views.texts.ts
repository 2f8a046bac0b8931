import { defineTexts } from '../../lib/texts/define.ts'

export const viewsTexts = defineTexts('adminViews', {
  views: 'Saved filters',
  save: 'Save this filter',
  all: 'Show all',
  name: 'Name',
  where: 'Kept in this browser until you sign out.',
  done: 'Save',
  forget: 'Remove the filter {name}',
})
