type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Without what was not sent, so that it stays as it is. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const sent: Given<Fields> = { ...fields }
  for (const name in sent) if (sent[name] === undefined) delete sent[name]
  return sent
}
