import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const brandContract = {
  favicon: endpoint({
    method: 'GET',
    path: '/favicon',
    summary: "The picture of browser windows: the configuration's, or the app's own",
    access: 'visitor',
    query: z.object({ theme: z.enum(['light', 'dark']).optional() }),
    answer: 'redirect',
    errors: [],
    budget: {},
    changes: [],
  }),
  brandStyle: endpoint({
    method: 'GET',
    path: '/brand.css',
    summary: 'The colours of the configuration, as a style sheet of the hosted screens',
    access: 'visitor',
    answer: 'style-sheet',
    errors: [],
    budget: {},
    changes: [],
  }),
}
