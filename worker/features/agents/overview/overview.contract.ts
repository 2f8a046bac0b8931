import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf } from '../../../kit/page.ts'
import { shownResource } from '../../identity-provider/resources/resources.contract.ts'
import { serviceAnswer } from '../services/services.contract.ts'

export const overviewContract = {
  listResources: get('/admin/list-resources', {
    summary: 'Lists the resource servers of the configuration and of administrators, and the services, without secrets',
    access: { admin: { resource: ['list'] } },
    answer: z.object({
      resources: listOf(shownResource),
      /** Those of the configuration first. */
      services: listOf(serviceAnswer),
    }),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 1000 },
    changes: [],
  }),
}
