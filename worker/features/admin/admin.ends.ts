import { defineEnds } from '../../http/feature.ts'
import { administratorRows, isFirstAdministrator } from './first-admins.ts'
import { userMay } from './may-administer.ts'

export const adminEnds = defineEnds({
  permissions: {
    administers: userMay,
    appointsAdministrator: isFirstAdministrator,
    administratorRows,
  },
})
