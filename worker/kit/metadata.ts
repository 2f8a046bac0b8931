/** The maximum size of the free-form metadata of an organization, a key or a client: bytes of its JSON. */
export const metadataBytes = 4096

/** Whether metadata is short enough to be stored. */
export const fitsAsMetadata = (metadata: unknown): boolean =>
  new TextEncoder().encode(JSON.stringify(metadata)).length <= metadataBytes
