type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Removes fields that were not sent, so that they stay unchanged. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const sent: Given<Fields> = { ...fields }
  for (const name in sent) if (sent[name] === undefined) delete sent[name]
  return sent
}
