/**
 * Disables the request timeout of the host for routes that call models: the `timeoutSeconds` setting limits each model
 * response, and the number of steps is limited as well.
 */
export const MODEL_TIME = Number.POSITIVE_INFINITY
