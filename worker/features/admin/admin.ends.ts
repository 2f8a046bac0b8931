import { defineEnds } from '../../http/feature.ts'
import { administratorRows, appointsAdministrator } from './first-admins.ts'
import { userMay } from './may-administer.ts'

export const adminEnds = defineEnds({
  permissions: {
    administers: userMay,
    appointsAdministrator,
    administratorRows,
  },
})
