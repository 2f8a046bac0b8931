import { defineEnds } from '../../http/feature.ts'
import { administratorRows, appointsAdministrator } from './first-admins.ts'
import { userMay } from './may-administer.ts'

export const adminEnds = defineEnds({
  administers: userMay,
  appointsAdministrator,
  administratorRows,
})
