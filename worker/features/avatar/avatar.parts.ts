import { defineParts } from '../../http/feature.ts'
import { deleteUnusedAvatars } from './avatar.store.ts'

export const avatarParts = defineParts({
  scheduled: (scope) => deleteUnusedAvatars(scope.db).run(),
})
