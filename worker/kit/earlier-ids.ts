/**
 * The present id in place of one of an earlier version, which callers, configurations and browsers may still have.
 * @param earlier present ids by the earlier ones
 */
export const presentId = <Id extends string, Ids extends Readonly<Record<string, string>>>(
  earlier: Ids,
  id: Id,
): Exclude<Id, keyof Ids> | Ids[keyof Ids] =>
  (Object.hasOwn(earlier, id) ? earlier[id] : id) as Exclude<Id, keyof Ids> | Ids[keyof Ids]
