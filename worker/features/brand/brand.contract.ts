import { endpoint } from '../../http/endpoint.ts'

export const brandContract = {
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
