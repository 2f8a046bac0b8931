import * as z from 'zod'
import { get, patch, post, put, remove } from '../../../http/endpoint.ts'
import { boundedRecord } from '../../../kit/bounded-record.ts'
import { scimErrorKinds } from '../protocol/scim.errors.ts'

const text = z.string().max(256)
const collection = z.object({ connection: text, resource: text })
const resource = collection.extend({ id: text })
/** RFC 7644, section 3.4.2, and RFC 9865. */
const query = boundedRecord(text, z.string().max(16_384), 50)

const answer = z.record(z.string(), z.unknown())
const message = { input: { raw: { json: answer } } } as const
const common = { access: 'directory', errors: scimErrorKinds } as const
const reading = { ...common, changes: [], budget: { d1: 3, durable: 1, read: 500 } } as const
const writing = {
  ...common,
  changes: ['directory', 'user', 'session', 'account', 'member', 'api-key'],
  budget: { d1: 7, durable: 1, read: 300, written: 80 },
} as const

/** SCIM 2.0 (RFC 7643, RFC 7644). `resource` is Users, Groups, ServiceProviderConfig, ResourceTypes or Schemas. */
export const directoryServerContract = {
  scimBulk: post('/scim/v2/:connection/Bulk', {
    limits: { whenFull: 'secures' },
    ...writing,
    audit: 'scim.v2.Bulk',
    ...message,
    summary: 'Runs several operations on the users and groups of a directory (RFC 7644, section 3.7)',
    input: { ...message.input, params: z.object({ connection: text }) },
    answer,
    budget: { d1: 1, durable: 2, read: 5000, written: 3000 },
  }),
  scimList: get('/scim/v2/:connection/:resource', {
    ...reading,
    summary:
      'Lists the users or groups of a directory, or returns a discovery document (RFC 7644, sections 3.4.2 and 4)',
    input: { params: collection, query },
    answer,
  }),
  scimCreate: post('/scim/v2/:connection/:resource', {
    limits: { whenFull: 'secures' },
    ...writing,
    audit: 'scim.v2',
    ...message,
    summary:
      'Creates a user or a group of a directory (RFC 7644, section 3.3); with `.search` as resource, searches both (3.4.2.1)',
    input: { ...message.input, params: collection, query },
    answer,
    status: 201,
  }),
  scimPutCollection: put('/scim/v2/:connection/:resource', {
    ...reading,
    summary: 'Returns 405: PUT needs the id of a resource',
    input: { params: collection },
    answer,
  }),
  scimPatchCollection: patch('/scim/v2/:connection/:resource', {
    ...reading,
    summary: 'Returns 405: PATCH needs the id of a resource',
    input: { params: collection },
    answer,
  }),
  scimDeleteCollection: remove('/scim/v2/:connection/:resource', {
    ...reading,
    summary: 'Returns 405: DELETE needs the id of a resource',
    input: { params: collection },
    answer,
  }),
  scimGet: get('/scim/v2/:connection/:resource/:id', {
    ...reading,
    summary: 'Returns a user, a group or a discovery document (RFC 7644, section 3.4.1)',
    input: { params: resource, query },
    answer,
  }),
  scimSearch: post('/scim/v2/:connection/:resource/:id', {
    ...reading,
    ...message,
    summary: 'Searches users or groups with the parameters in the body; `id` is `.search` (RFC 7644, section 3.4.3)',
    input: { ...message.input, params: resource },
    answer,
  }),
  scimReplace: put('/scim/v2/:connection/:resource/:id', {
    limits: { whenFull: 'secures' },
    ...writing,
    audit: 'scim.v2',
    ...message,
    summary: 'Replaces a user or a group of a directory (RFC 7644, section 3.5.1)',
    input: { ...message.input, params: resource, query },
    answer,
  }),
  scimPatch: patch('/scim/v2/:connection/:resource/:id', {
    limits: { whenFull: 'secures' },
    ...writing,
    audit: 'scim.v2',
    ...message,
    summary:
      'Changes a user or a group of a directory (RFC 7644, section 3.5.2); for a group without `attributes` in the query, the answer is 204',
    input: { ...message.input, params: resource, query },
    answer: z.unknown(),
  }),
  scimDelete: remove('/scim/v2/:connection/:resource/:id', {
    limits: { whenFull: 'ends' },
    ...writing,
    audit: 'scim.v2',
    summary: 'Deletes a user or a group of a directory, and ends the access of the user (RFC 7644, section 3.6)',
    input: { params: resource },
    answer: z.unknown(),
    status: 204,
  }),
}
