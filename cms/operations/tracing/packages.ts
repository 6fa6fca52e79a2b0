/** Packages that an operator adds: a site without traces does not need them. */
const PACKAGES = ['core', 'resources', 'sdk-trace', 'exporter-trace-otlp-http'].map((name) => `@opentelemetry/${name}`)

/** The packages of OpenTelemetry. @throws Error with the command that installs them */
export async function loadPackages() {
  try {
    const [api, core, resources, sdk, exporter] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
    return { api, core, resources, sdk, exporter }
  } catch (error) {
    throw new Error(`Tracing requires additional packages. Install them with: npm install ${PACKAGES.join(' ')}`, {
      cause: error,
    })
  }
}

export type Packages = Awaited<ReturnType<typeof loadPackages>>
