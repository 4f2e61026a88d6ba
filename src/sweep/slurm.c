#include "src/sweep/slurm.h"

#include "src/base/save_file.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUMBER_SIZE = 64 };

struct script {
    const struct slurm_array *array;
    const char *simos, *folder;
    bool merge;
};

/* Write TEXT as one word, quoted for the shell. */
static void put_word(FILE *out, const char *text)
{
    fputs(" '", out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

/* Write the wanted tasks as ranges: "0-3,7". */
static void put_tasks(FILE *out, const struct slurm_array *array)
{
    const char *between = "";
    for (unsigned first = 0; first < array->tasks; first++) {
        unsigned last = first;
        if (!array->wanted[first])
            continue;
        while (last + 1 < array->tasks && array->wanted[last + 1])
            last++;
        fprintf(out, "%s%u", between, first);
        if (last > first)
            fprintf(out, "-%u", last);
        between = ",";
        first = last;
    }
}

/* Write the Slurm job name: the last path component, other characters than letters, digits, "-", "_" and "."
 * replaced. */
static void put_name(FILE *out, const char *text)
{
    const char *slash = strrchr(text, '/');
    fputs("#SBATCH --job-name=simos-", out);
    for (const char *at = slash ? slash + 1 : text; *at; at++)
        fputc(isalnum((unsigned char)*at) || strchr("-_.", *at) ? *at : '_', out);
    fputc('\n', out);
}

static void put_log(FILE *out, const struct script *script)
{
    put_word(out, script->array->work);
    fputs(script->merge ? "/merge.log" : "/array-\"$SLURM_ARRAY_TASK_ID\".log", out);
}

static void put_script(const void *opaque, FILE *out)
{
    const struct script *script = opaque;
    const struct slurm_array *array = script->array;
    fputs("#!/bin/sh\n", out);
    put_name(out, array->out);
    fputs("#SBATCH --output=/dev/null\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n", out);
    for (unsigned i = 0; i < array->option_count; i++)
        fprintf(out, "#SBATCH %s\n", array->options[i]);
    if (!script->merge) {
        fputs("#SBATCH --array=", out);
        put_tasks(out, array);
        fputc('\n', out);
    }
    fputs("cd", out);
    put_word(out, script->folder);
    fputs(" || exit\nrm -f", out);
    put_log(out, script);
    fputs("\nexec >", out);
    put_log(out, script);
    fputs(" 2>&1\nexec", out);
    put_word(out, script->simos);
    for (unsigned i = 0; i < array->again_count; i++)
        put_word(out, array->again[i]);
    if (script->merge)
        fputs(" --merge\n", out);
    else
        fprintf(out, " --jobs 1 --part \"$SLURM_ARRAY_TASK_ID\"/%u\n", array->tasks);
}

static bool name_script(char path[PATH_MAX], const struct slurm_array *array, bool merge, struct err *err)
{
    return snprintf(path, PATH_MAX, "%s/%s.sbatch", array->work, merge ? "merge" : "array") < PATH_MAX ||
           err_set(err, "--out: the name is too long");
}

bool slurm_write(const struct slurm_array *array, struct err *err)
{
    char path[PATH_MAX], folder[PATH_MAX], simos[PATH_MAX];
    if (!getcwd(folder, sizeof folder))
        return err_set(err, "the current folder: %s", strerror(errno));
    if (!realpath("/proc/self/exe", simos))
        return err_set(err, "simos: %s", strerror(errno));
    for (int merge = 0; merge < 2; merge++) {
        const struct script script = {.array = array, .simos = simos, .folder = folder, .merge = merge};
        if (!name_script(path, array, merge, err))
            return false;
        unlink(path); /* whatever it is a link to */
        if (!save_file("script", path, put_script, &script, err))
            return false;
    }
    return true;
}

/* In the child: execute sbatch. Never returns. */
static void exec_sbatch(int out, const char *const *words)
{
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execvp("sbatch", (char *const *)words);
    printf("cannot be started: %s", strerror(errno));
    fflush(stdout);
    _exit(EXIT_SIMOS_FAILED);
}

/* Read FD to its end and store the beginning as one line of at most SIZE - 1 bytes. */
static void read_line(int fd, char *text, size_t size)
{
    size_t length = 0;
    ssize_t count;
    char rest[256];
    while (length < size - 1 &&
           ((count = read(fd, text + length, size - 1 - length)) > 0 || (count < 0 && errno == EINTR)))
        length += count > 0 ? (size_t)count : 0;
    while ((count = read(fd, rest, sizeof rest)) > 0 || (count < 0 && errno == EINTR))
        continue;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = 0;
    for (char *at = text; *at; at++)
        if (iscntrl((unsigned char)*at))
            *at = ' ';
}

/* Run sbatch with WORDS; its output goes to TEXT. Returns false with ERR. */
static bool run_sbatch(const char *const *words, char *text, size_t size, struct err *err)
{
    int ends[2], how = 0;
    fflush(NULL);
    if (pipe(ends) != 0)
        return err_set(err, "sbatch: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0)
        exec_sbatch(ends[1], words);
    close(ends[1]);
    read_line(ends[0], text, size);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &how, 0) < 0 && errno == EINTR)
        continue;
    return (pid > 0 && WIFEXITED(how) && WEXITSTATUS(how) == 0) ||
           err_set(err, "sbatch: %s", *text ? text : "no process for it");
}

/* Submit the array; or, if MERGE, the merge job that depends on array NUMBER. NUMBER receives the number of the new
 * Slurm job. */
static bool submit(const struct slurm_array *array, bool merge, char number[NUMBER_SIZE], struct err *err)
{
    char path[PATH_MAX], text[400], dependency[NUMBER_SIZE + 32];
    const char *words[5] = {"sbatch", "--parsable", NULL};
    if (!name_script(path, array, merge, err))
        return false;
    snprintf(dependency, sizeof dependency, "--dependency=afterany:%s", number);
    words[2] = merge ? dependency : path;
    words[3] = merge ? path : NULL;
    if (!run_sbatch(words, text, sizeof text, err))
        return false;
    size_t digits = strspn(text, "0123456789"); /* ";CLUSTER" may follow */
    if (digits == 0 || digits >= NUMBER_SIZE)
        return err_set(err, "sbatch: \"%s\" is not a job number", text);
    snprintf(number, NUMBER_SIZE, "%.*s", (int)digits, text);
    return true;
}

bool slurm_submit(const struct slurm_array *array, struct err *err)
{
    char tasks[NUMBER_SIZE] = "", merge[NUMBER_SIZE];
    struct err reason = {""};
    if (!submit(array, false, tasks, err))
        return false;
    memcpy(merge, tasks, sizeof merge);
    if (!submit(array, true, merge, &reason))
        return err_set(err, "%s; array %s is submitted: when it has ended, run this with --merge", reason.text, tasks);
    printf("array %s of %u tasks, results by job %s\n", tasks, array->wanted_count, merge);
    return true;
}
