const explanations = new Set<() => Promise<string>>()

/**
 * Prints more about the tests that fail until the returned function is called, such as what the browser shows: a failure in CI cannot be
 * looked at otherwise.
 */
export function explainFailures(explain: () => Promise<string>): () => void {
  explanations.add(explain)
  return () => void explanations.delete(explain)
}

/** Root hook: after a test that failed. */
export async function explainFailure(title: string): Promise<void> {
  for (const explain of explanations) {
    const text = await explain().catch((error: unknown) => `This could not be explained: ${error}`)
    process.stderr.write(`\nWhat "${title}" left:\n${text}\n`)
  }
}
