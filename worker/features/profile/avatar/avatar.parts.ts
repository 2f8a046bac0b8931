import { defineParts } from '../../../http/feature.ts'
import { deleteUnusedAvatars } from './avatar.store.ts'

export const avatarParts = defineParts({
  cron: { scheduled: (scope) => deleteUnusedAvatars(scope.db).run() },
})
