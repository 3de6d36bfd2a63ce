// The guest this browser is.
export const me = $state<{ id: string; name: string }>({ id: "", name: "" });
