import { defineTexts } from '../../lib/texts/texts.ts'

export const serviceTexts = defineTexts('services', {
  create: 'Add a service',
  createTitle: 'New service',
  nameHint: 'The server or the job that uses it.',
  limit: 'Tokens per minute',
  limitInvalid: 'Enter a number from 1 to 99999.',
  never: 'Never',
  asBefore: 'As before',
  requireProof: 'Bind every token to a key of the service (DPoP)',
  noResources: 'There are no resources with permissions that a service could have. Add one first.',
  noSecret: 'The service signs its requests with its key (private_key_jwt).',
  rotate: 'New secret',
  rotateTitle: 'New secret for {name}',
  overlap: 'The earlier secret',
  overlapHint: 'In this time you replace it on your servers.',
  stillFor: 'remains valid for {time}',
  noLonger: 'stops working immediately',
  previousEnds: 'Earlier secret ends:',
  deleteWhat: 'The service gets no more tokens, and all that it has end immediately.',
  errors: {
    SERVICE_NOT_FOUND: 'This service has been deleted already.',
    INVALID_SERVICE_ACCESS: 'Choose at least one permission.',
    INVALID_SERVICE_KEYS: 'Enter a JSON Web Key Set with public keys, or its https address.',
    SERVICE_LIMIT_REACHED: 'There are as many services as this site allows. Delete one that is not used.',
  } as Record<string, string>,
})
