// The recommended rules, on files that users do not write. Namespaces are how the types of an entity stay together, so that no two
// entities can clash; they hold types only, and nothing of them is left at run time.
import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(eslint.configs.recommended, tseslint.configs.recommended, {
  rules: { "@typescript-eslint/no-namespace": "off" },
});
